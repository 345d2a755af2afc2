import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { hold, NOW, storeAged } from "../housekeeping-box.js"
import { type Sandbox, sandbox } from "../sandbox.js"

interface Offered {
  readonly kind: string
  readonly values: readonly string[]
}

/** What the last of the words may become. */
async function offered(box: Sandbox, ...words: string[]): Promise<Offered> {
  const { code, json } = await box.run(["completion", "fish", "--json", "--", ...words], NOW)
  expect(code).toBe(0)
  const { kind, candidates } = json[0] as { kind: string; candidates: { value: string }[] }
  return { kind, values: candidates.map(({ value }) => value) }
}

describe("a command line", () => {
  test("may begin with any command, and go on with those of a group.", async () => {
    const box = sandbox()
    expect((await offered(box, "")).values).toEqual(expect.arrayContaining(["list", "blobs", "delete", "help"]))
    expect((await offered(box, "re")).values).toEqual(expect.arrayContaining(["repair", "relocate", "resume"]))
    expect((await offered(box, "blobs", "")).values).toEqual(["slim", "inflate", "ls", "verify", "gc"])
    expect((await offered(box, "help", "rel")).values).toEqual(["relocate"])
    expect((await offered(box, "no-such-command", "")).values).toEqual([])
  })

  test("may have the options of the command and those of every one, but none behind two hyphens.", async () => {
    const box = sandbox()
    const { values } = await offered(box, "delete", "--")
    expect(values).toEqual(expect.arrayContaining(["--older-than", "--apply", "--json", "--store", "--help"]))
    for (const former of ["--agent-dir", "--session-dir", "--all-stores"]) expect(values).not.toContain(former)
    expect((await offered(box, "delete", "--keep-l")).values).toEqual(["--keep-last"])
    expect((await offered(box, "show", "--", "--fu")).values).toEqual([])
  })

  test("has the stores that are there and folders for stores, folders for blobs, and nothing for addresses.", async () => {
    const box = sandbox()
    const made = [".xcsh/agent/sessions", ".omp/profiles/work/agent/sessions", ".config/Cursor/User/globalStorage/x"]
    for (const name of made) mkdirSync(join(box.folder, name), { recursive: true })
    for (const name of ["opencode-dev.db", "opencode-my.db"]) box.write(`.local/share/opencode/${name}`, "")
    const stores = ["treelog", "xcsh", "omp:work", "opencode:dev", "opencode:my"]
    for (const option of ["--store", "--from", "--to"]) {
      const command = option === "--store" ? [] : ["import"]
      expect(await offered(box, ...command, option, "")).toEqual({
        kind: "words",
        values: option === "--store" ? [...stores, "all"] : stores,
      })
      expect((await offered(box, ...command, option, "opencode:m")).values).toEqual(["opencode:my"])
      expect(await offered(box, ...command, option, "x")).toEqual({ kind: "words", values: ["xcsh"] })
      expect(await offered(box, ...command, option, "~/b")).toEqual({ kind: "folders", values: [] })
    }
    expect(await offered(box, "list", "--store", "postgres:")).toEqual({ kind: "words", values: [] })
    expect(await offered(box, "list", "--blobs", "")).toEqual({ kind: "folders", values: [] })
  })

  test("has values of options: choices, folders, files, sessions; and none that nobody can guess.", async () => {
    const box = sandbox()
    storeAged(box, "one", 1)
    expect(await offered(box, "tree", "--filter", "l")).toEqual({ kind: "words", values: ["labeled-only"] })
    expect(await offered(box, "list", "--cwd", "")).toEqual({ kind: "folders", values: [] })
    expect((await offered(box, "new", "--parent", "o")).values).toEqual(["one"])
    expect(await offered(box, "list", "--limit", "")).toEqual({ kind: "words", values: [] })
    expect((await offered(box, "completion", "")).values).toEqual(["bash", "zsh", "fish"])
  })
})

describe("a session", () => {
  test("is offered by id and name, newest first, of the folder; by the start of its id from everywhere.", async () => {
    const box = sandbox()
    storeAged(box, "aa-old", 9, { name: "Discount field" })
    storeAged(box, "aa-new", 1)
    storeAged(box, "aa-else", 1, { cwd: "/elsewhere" })
    expect((await offered(box, "show", "")).values).toEqual(["@last", "@-2", "aa-new", "aa-old", "Discount field"])
    expect((await offered(box, "label", "aa-")).values).toEqual(["aa-new", "aa-old", "aa-else"])
    expect((await offered(box, "fork", "Disc")).values).toEqual(["Discount field"])
    expect((await offered(box, "show", "@l")).values).toEqual(["@last"])
    expect((await offered(box, "show", "--cwd", "/elsewhere", "")).values).toEqual(["@last", "@-2", "aa-else"])
    expect((await offered(box, "delete", "aa-new", "aa-o")).values).toEqual(["aa-old"])
    expect((await offered(box, "label", "aa-new", "")).values).toEqual([])
  })

  test("of an agent whose file names have no whole id is offered by the start of its id, too.", async () => {
    const box = sandbox()
    const chats = join(box.folder, ".gemini/tmp/shop/chats")
    mkdirSync(chats, { recursive: true })
    const timestamp = "2026-01-01T00:00:00.000Z"
    const head = { sessionId: "372e5d28-d69d-43ef", projectHash: "f", startTime: timestamp, kind: "main" }
    const prompt = { id: "m1", timestamp, type: "user", content: [{ text: "Hello" }] }
    const lines = [head, prompt].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(join(chats, "session-2026-01-01T00-00-372e5d28.jsonl"), lines.join(""))
    expect((await offered(box, "show", "--store", "gemini", "37")).values).toEqual(["372e5d28-d69d-43ef"])
  })

  test("may be a path.", async () => {
    for (const word of ["./", "/tmp", "~/"]) expect((await offered(sandbox(), "show", word)).kind).toBe("files")
  })

  test("is one of the trash where something is restored.", async () => {
    const box = sandbox()
    storeAged(box, "here", 1)
    storeAged(box, "gone", 1)
    await box.run(["delete", "gone"], NOW)
    expect((await offered(box, "trash", "restore", "")).values).toEqual(["gone"])
  })

  test("has no name that a terminal would obey, and its words are one clean line.", async () => {
    const box = sandbox()
    storeAged(box, "evil", 1, { name: "a\u001b[2Jb\tc\nd" })
    await hold(box, storeAged(box, "held", 2))
    const { stdout } = await box.run(["completion", "fish", "--", "show", ""], NOW)
    expect(stdout).toBe("words\n@last\tthe newest\n@-2\tthe one before\nevil\tab c\nheld\tSession held\n")
  })
})
