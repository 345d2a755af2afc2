import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { makeOld } from "@treelog-internal/agent-files/testing"
import { nodeFs, SessionRows } from "@treelog-internal/fs"
import { afterEach, describe, expect, it } from "vitest"
import { lineStorage } from "./line-source.js"

const opened: Awaited<ReturnType<typeof lineStorage>>[] = []

async function setup(...args: Parameters<typeof lineStorage>) {
  const made = await lineStorage(...args)
  opened.push(made)
  return made
}

afterEach(async () => {
  for (const { remove } of opened.splice(0)) await remove()
})

const SAID = "/home/ada/shop\nhello\nhow are you\n"

async function textOf(
  storage: {
    statContent: (key: string) => Promise<{ size: number } | undefined>
    readRange: (key: string, offset: number, length: number) => Promise<Uint8Array>
  },
  key: string,
) {
  const found = await storage.statContent(key)
  return new TextDecoder().decode(await storage.readRange(key, 0, found?.size ?? 0))
}

async function cachedFiles(cacheDir: string): Promise<string[]> {
  const folder = join(cacheDir, "agents", "lines", "converted")
  return (await readdir(folder)).sort().map((name) => join(folder, name))
}

describe("the cache of converted sessions", () => {
  it("converts a session once, also for later processes", async () => {
    const { storage, source, open, path } = await setup()
    await writeFile(path("a"), SAID)
    const text = await textOf(storage, path("a"))
    expect(await textOf(storage, path("a"))).toBe(text)
    expect(source.conversions).toBe(1)
    const second = open()
    expect(await textOf(second.storage, path("a"))).toBe(text)
    expect(await second.storage.statContent(path("a"))).toEqual(await storage.statContent(path("a")))
    expect(second.source.conversions).toBe(0)
  })

  it("asks a session once which kinds of records it has that are not taken, also for later processes", async () => {
    const { storage, source, open, path } = await setup()
    await writeFile(path("a"), SAID)
    const kinds = await storage.kindsOf(path("a"))
    expect(kinds).toEqual({ unknownKinds: [], uncountedKinds: [] })
    const second = open()
    expect(await second.storage.kindsOf(path("a"))).toEqual(kinds)
    expect([source.conversions, second.source.conversions]).toEqual([1, 0])
    await appendFile(path("a"), "more\n")
    expect(await second.storage.kindsOf(path("a"))).toEqual(kinds)
    expect(second.source.conversions).toBe(1)
  })

  it("stores nothing again that it has stored", async () => {
    const { open, cacheDir, path } = await setup()
    await writeFile(path("a"), SAID)
    await open().storage.report(path("a"))
    const lists = join(cacheDir, "lists")
    const sizes = async () =>
      Promise.all((await readdir(lists)).map(async (name) => (await stat(join(lists, name))).size))
    const before = await sizes()
    await open().storage.report(path("a"))
    expect(await sizes()).toEqual(before)
  })

  it("has the state of what is stored, and the artifacts, without converting anything", async () => {
    const { storage, source, path } = await setup()
    await writeFile(path("a"), SAID)
    expect(await storage.stat(path("a"))).toMatchObject({ size: Buffer.byteLength(SAID) })
    for await (const _ of storage.artifacts(path("a")));
    expect(await storage.stat(path("b"))).toBeUndefined()
    expect(source.conversions).toBe(0)
    expect((await storage.statContent(path("a")))?.size).not.toBe(Buffer.byteLength(SAID))
    expect(source.conversions).toBe(1)
  })

  it("lists sessions without converting any, and summarizes each once", async () => {
    const { storage, source, open, path, folder } = await setup()
    for (const id of ["a", "b"]) await writeFile(path(id), SAID)
    await makeOld(folder)
    const manager = new SessionManager({ storage })
    const listed = []
    for await (const info of manager.listAll()) listed.push(info)
    expect(listed).toHaveLength(2)
    expect(listed[0]).not.toHaveProperty("messageCount")
    expect([source.summaries, source.conversions]).toEqual([2, 0])
    const second = open()
    for await (const { firstMessage } of new SessionManager({ storage: second.storage }).listAll())
      expect(firstMessage).toBe("hello")
    expect([second.source.summaries, second.source.conversions]).toEqual([0, 0])
  })

  it("makes no summaries for whoever needs none, and says when each session was written", async () => {
    const { storage, source, path } = await setup()
    await writeFile(path("a"), SAID)
    await utimes(path("a"), 5, 5)
    const found = []
    for await (const batch of storage.summaries.scan({ makesSummaries: false })) found.push(...batch)
    expect(found).toMatchObject([{ key: path("a"), id: "a", modified: 5_000 }])
    expect(source.summaries).toBe(0)
  })

  it("lists what was counted when a session was converted, until it changes", async () => {
    const { storage, open, path } = await setup()
    await writeFile(path("a"), SAID)
    await storage.statContent(path("a"))
    await storage.summaries.flush()
    const listed = async () => {
      for await (const info of new SessionManager({ storage: open().storage }).listAll()) return info
      return undefined
    }
    expect(await listed()).toMatchObject({ messageCount: 2, firstMessage: "hello" })
    await appendFile(path("a"), "and more\n")
    expect(await listed()).not.toHaveProperty("messageCount")
  })

  it("keeps what is stored of a session when a note is put before it was read", async () => {
    const { cacheDir } = await setup()
    const rows = (): SessionRows => new SessionRows(nodeFs, { cacheDir, store: ["lines", "/home"], onError: () => {} })
    const [first, second] = [rows(), rows()]
    first.putFact("converted", "a", { version: "1", brief: [7], value: undefined })
    await first.flush()
    if (second.fact("note", "a") === undefined)
      second.putFact("note", "a", { version: "1", brief: [], value: { b: 2 } })
    await second.flush()
    const third = rows()
    expect(third.fact("converted", "a")).toMatchObject({ version: "1", brief: [7] })
    expect(third.fact("note", "a")).toMatchObject({ version: "1", value: { b: 2 } })
  })

  it("knows size and identity of an unchanged session although its bytes were removed", async () => {
    const { storage, open, path, cacheDir } = await setup()
    await writeFile(path("a"), SAID)
    const before = await storage.statContent(path("a"))
    await rm(join(cacheDir, "agents", "lines", "converted"), { recursive: true })
    const { storage: second, source } = open()
    expect(await second.statContent(path("a"))).toEqual(before)
    expect(source.conversions).toBe(0)
    expect((await second.readRange(path("a"), 0, 1, before?.identity)).length).toBe(1)
    expect(source.conversions).toBe(1)
    expect(await second.statContent(path("a"))).toEqual(before)
  })

  it("reads damaged and cut files again from their source", async () => {
    const { storage, open, path, cacheDir } = await setup()
    await writeFile(path("a"), SAID)
    const text = await textOf(storage, path("a"))
    const before = await storage.statContent(path("a"))
    const [file = ""] = await cachedFiles(cacheDir)
    for (const damage of [text.replace("hello", "jello"), text.slice(0, 50), ""]) {
      await writeFile(file, damage)
      const { storage: second } = open()
      expect(await textOf(second, path("a"))).toBe(text)
      expect(await second.statContent(path("a"))).toEqual(before)
    }
  })

  it("reads what it must again where its table is damaged, torn or of another version", async () => {
    const { storage, open, path, cacheDir } = await setup()
    await writeFile(path("a"), SAID)
    const text = await textOf(storage, path("a"))
    const folder = join(cacheDir, "lists")
    const [name = ""] = await readdir(folder)
    const table = await readFile(join(folder, name), "utf8")
    for (const damage of [
      "",
      "\0\0\0",
      table.slice(0, -9),
      '{"table":99}\n',
      '{"key":1}\n[]\nnull\n{"key":"x","summary":3}\n',
    ]) {
      await writeFile(join(folder, name), damage)
      const { storage: second } = open()
      expect(await textOf(second, path("a"))).toBe(text)
    }
  })

  it("keeps the total size within its limit, and removes what was not used for longest", async () => {
    const { open, path, cacheDir } = await setup()
    const { storage } = open({ maxCacheBytes: 3000 })
    for (const id of ["a", "b", "c", "d"]) {
      await writeFile(path(id), `/home/ada/shop\n${"x".repeat(800)}\n`)
      await storage.statContent(path(id))
      for (const file of await cachedFiles(cacheDir)) {
        const { mtimeMs } = await stat(file)
        await utimes(file, mtimeMs / 1000 - 10, mtimeMs / 1000 - 10)
      }
    }
    const files = await cachedFiles(cacheDir)
    expect(files.length).toBeLessThan(4)
    let total = 0
    for (const file of files) total += (await stat(file)).size
    expect(total).toBeLessThanOrEqual(3000)
    expect(await textOf(storage, path("a"))).toContain("xxx")
  })

  it("removes the former bytes of a session that has grown, which stays the same session", async () => {
    const { storage, path, cacheDir } = await setup()
    await writeFile(path("a"), SAID)
    const before = await storage.statContent(path("a"))
    for (const more of ["1", "2", "3"]) {
      await appendFile(path("a"), `${more}\n`)
      expect(await storage.statContent(path("a"))).toMatchObject({ identity: before?.identity })
    }
    expect(await textOf(storage, path("a"))).toContain('"3"')
    expect(await cachedFiles(cacheDir)).toHaveLength(1)
  })

  it("gives two processes the same identity for what they convert at the same time", async () => {
    const { open, path } = await setup()
    await writeFile(path("a"), SAID)
    const storages = [open(), open(), open()].map(({ storage }) => storage)
    const stats = await Promise.all(storages.map((storage) => storage.statContent(path("a"))))
    expect(new Set(stats.map((each) => each?.identity)).size).toBe(1)
  })

  it("gives a session that becomes again what it was another identity", async () => {
    const { storage, path } = await setup()
    await writeFile(path("a"), SAID)
    const first = await storage.statContent(path("a"))
    await writeFile(path("a"), "/home/ada/shop\nsomething else\n")
    const second = await storage.statContent(path("a"))
    await writeFile(path("a"), SAID)
    const third = await storage.statContent(path("a"))
    expect(new Set([first, second, third].map((each) => each?.identity)).size).toBe(3)
  })

  it("serves sessions from memory where the cache cannot be written", async () => {
    const errors: string[] = []
    const { root, open, path } = await setup()
    await writeFile(join(root, "file"), "")
    await writeFile(path("a"), SAID)
    const { storage } = open({ cacheDir: join(root, "file", "cache"), onCacheError: ({ code }) => errors.push(code) })
    expect(await textOf(storage, path("a"))).toContain("hello")
    expect(errors).toEqual(["StorageError"])
  })

  it("is private to the user", async () => {
    const { storage, path, cacheDir } = await setup()
    await writeFile(path("a"), SAID)
    await storage.statContent(path("a"))
    const [file = ""] = await cachedFiles(cacheDir)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})
