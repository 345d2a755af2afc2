import { CopilotSessionFs } from "@treelog/agent-sdks/copilot"
import { describe, expect, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

describe.each(STORAGES)("the files of a Copilot session %s", (kind) => {
  const open = (storage = emptyStorage(kind), sessionId = "s") => new CopilotSessionFs({ storage, sessionId })
  /** Files with their paths as contents. */
  const withFiles = async (...paths: string[]) => {
    const files = open()
    for (const path of paths) await files.writeFile(path, path)
    return files
  }

  test("are read as they were written and appended, whatever the form of the path", async () => {
    const files = open()
    await files.writeFile("/state/a.txt", "\ufeffone")
    await files.appendFile("state//./a.txt", " two\0\u{1F600}")
    expect(await files.readFile("/state/b/../a.txt")).toBe("\ufeffone two\0\u{1F600}")
    await files.writeFile("/state/a.txt", "")
    expect(await files.readFile("/state/a.txt")).toBe("")
  })

  test("are created by an append, with the directories above them", async () => {
    const files = open()
    await Promise.all(["1", "2", "3", "4"].map((line) => files.appendFile("/state/x/events.jsonl", `${line}\n`)))
    expect(await files.readFile("/state/x/events.jsonl")).toBe("1\n2\n3\n4\n")
    expect(await files.readdirWithTypes("/state")).toEqual([{ name: "x", type: "directory" }])
  })

  test("are known by exists and stat, as are directories", async () => {
    const files = await withFiles("/state/ä.txt")
    const times = { mtime: expect.stringMatching(/^20.*Z$/), birthtime: expect.stringMatching(/^20.*Z$/) }
    expect(await files.stat("/state/ä.txt")).toEqual({ isFile: true, isDirectory: false, size: 13, ...times })
    expect(await files.stat("/state")).toEqual({ isFile: false, isDirectory: true, size: 0, ...times })
    expect((await files.stat("/")).isDirectory).toBe(true)
    const known = ["/state/ä.txt", "/state", "/", "/stat", "/state/ä"].map((path) => files.exists(path))
    expect(await Promise.all(known)).toEqual([true, true, true, false, false])
  })

  test("are listed by directory, sorted, with their types", async () => {
    const files = await withFiles("/b", "/a/x", "/a/y/z", "/ab")
    await files.mkdir("/a/empty", false)
    expect(await files.readdir("/")).toEqual(["a", "ab", "b"])
    expect(await files.readdirWithTypes("/a")).toEqual([
      { name: "empty", type: "directory" },
      { name: "x", type: "file" },
      { name: "y", type: "directory" },
    ])
    expect(await files.readdir("/a/empty")).toEqual([])
    expect(await open().readdir("/")).toEqual([])
  })

  test("are removed one by one or with their directory", async () => {
    const files = await withFiles("/a/x", "/a/y/z", "/ab")
    await files.rm("/a/x", false, false)
    await expect(files.rm("/a", false, true)).rejects.toMatchObject({ code: "ENOTEMPTY" })
    await files.rm("/a", true, false)
    await files.rm("/never", false, true)
    await expect(files.rm("/never", true, false)).rejects.toMatchObject({ code: "ENOENT", path: "/never" })
    expect(await files.readdir("/")).toEqual(["ab"])
  })

  test("are renamed, in place of another file, and keep their time of creation", async () => {
    const files = await withFiles("/a", "/b")
    const { birthtime } = await files.stat("/a")
    await files.rename("/a", "/b")
    await files.rename("/b", "/b")
    expect(await files.readFile("/b")).toBe("/a")
    expect((await files.stat("/b")).birthtime).toBe(birthtime)
    expect(await files.readdir("/")).toEqual(["b"])
  })

  test("are moved with their directory, into an empty one too", async () => {
    const files = await withFiles("/a/x", "/a/y/z")
    await files.mkdir("/a/empty", true)
    await files.mkdir("/c", false)
    await files.rename("/a", "/c")
    expect(await files.readdir("/")).toEqual(["c"])
    expect(await files.readdir("/c")).toEqual(["empty", "x", "y"])
    expect(await files.readFile("/c/y/z")).toBe("/a/y/z")
  })

  test("are swapped without waiting for each other when two are renamed at once", async () => {
    const files = await withFiles("/a", "/b")
    await Promise.all([files.rename("/a", "/b"), files.rename("/b", "/a")])
    expect(await files.readdir("/")).toHaveLength(1)
  })

  test.each<[string, (files: CopilotSessionFs) => Promise<unknown>]>([
    ["ENOENT", (files) => files.readFile("/never")],
    ["ENOENT", (files) => files.stat("/never")],
    ["ENOENT", (files) => files.readdir("/never")],
    ["ENOENT", (files) => files.readdirWithTypes("/never")],
    ["ENOENT", (files) => files.rename("/never", "/a")],
    ["ENOENT", (files) => files.mkdir("/never/b", false)],
    ["EISDIR", (files) => files.readFile("/dir")],
    ["EISDIR", (files) => files.readFile("/")],
    ["EISDIR", (files) => files.writeFile("/dir", "x")],
    ["EISDIR", (files) => files.writeFile("/empty", "x")],
    ["EISDIR", (files) => files.appendFile("/dir", "x")],
    ["EISDIR", (files) => files.rename("/file", "/dir")],
    ["ENOTDIR", (files) => files.readdir("/file")],
    ["ENOTDIR", (files) => files.writeFile("/file/x", "x")],
    ["ENOTDIR", (files) => files.mkdir("/file/x/y", true)],
    ["ENOTDIR", (files) => files.rename("/dir", "/file")],
    ["ENOTDIR", (files) => files.rename("/dir", "/file/x")],
    ["EEXIST", (files) => files.mkdir("/file", true)],
    ["EEXIST", (files) => files.mkdir("/dir", false)],
    ["EEXIST", (files) => files.mkdir("/empty", false)],
    ["ENOTEMPTY", (files) => files.rename("/other", "/dir")],
    ["EINVAL", (files) => files.rename("/dir", "/dir/below")],
  ])("fail with %s, and stay: %s", async (code, operation) => {
    const files = await withFiles("/file", "/dir/x", "/other/x")
    await files.mkdir("/empty", false)
    await expect(operation(files)).rejects.toMatchObject({ name: "CopilotFileError", code })
    expect(await files.readdir("/")).toEqual(["dir", "empty", "file", "other"])
    expect(await files.readFile("/file")).toBe("/file")
  })

  test("of one session are not those of another", async () => {
    const storage = emptyStorage(kind)
    await open(storage, "a/b").writeFile("/x", "1")
    await open(storage, "a-b").writeFile("/x", "2")
    await open(storage, "a").writeFile("/b/x", "3")
    expect(await open(storage, "a/b").readFile("/x")).toBe("1")
    expect(await open(storage, "a-b").readdir("/")).toEqual(["x"])
    expect(await open(storage, "a").readdir("/")).toEqual(["b"])
  })

  test.each(["/..", "../x", "/a/../../x", "a\\..\\..\\x", "/nul\0", "/half\udfff"])(
    "have no path outside of the session: %j is refused",
    async (path) => {
      const files = open()
      const error = { code: "InvalidArgumentError", data: { argument: "path" } }
      await expect(files.readFile(path)).rejects.toMatchObject(error)
      await expect(files.writeFile(path, "x")).rejects.toMatchObject(error)
      await expect(files.appendFile(path, "x")).rejects.toMatchObject(error)
      await expect(files.mkdir(path, true)).rejects.toMatchObject(error)
      await expect(files.rm(path, true, true)).rejects.toMatchObject(error)
      expect(await files.readdir("/")).toEqual([])
    },
  )

  test("never change a text: half of a surrogate pair is refused", async () => {
    const files = open()
    await expect(files.appendFile("/a", "ab\ud83d")).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "content" },
      message: expect.stringContaining("at 2"),
    })
    expect(await files.exists("/a")).toBe(false)
  })
})
