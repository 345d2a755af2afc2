import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tries } from "@treelog-internal/test-kit"
import Database from "better-sqlite3"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const START = Date.UTC(2026, 2, 7)

const access = "read"
const prompts = ["fix the login", "运行测试", "Relogin", "fix the login"].map((text, at) => ({
  text,
  createdAt: START + at * 1000,
  cwd: `/${at % 2}`,
  sessionId: `s${at}`,
}))

/** The names of all files, with what is in them and when that changed. */
function filesIn(folder: string): unknown {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, statSync(join(folder, name)).mtimeMs, readFileSync(join(folder, name), "base64")])
}

async function withPrompts(): Promise<{ folder: string; path: string }> {
  const folder = tempFolder()
  const path = join(folder, "history.db")
  const history = openHistory(path)
  await history.import(prompts)
  await history.close()
  return { folder, path }
}

/** A database as other programs make it, which we never wrote to. */
function ofAnother(): { folder: string; path: string } {
  const folder = tempFolder()
  const path = join(folder, "history.db")
  const db = new Database(path)
  db.exec(`CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
    INSERT INTO history(prompt, created_at) VALUES ('fix the login', 1), ('运行测试', 2), ('Relogin', 3)`)
  db.close()
  return { folder, path }
}

describe("a history that is opened for reading", () => {
  it("gives nothing where there is no database, makes none, and sees one that comes", async () => {
    const folder = tempFolder()
    const path = join(folder, "deeper", "history.db")
    const reader = openHistory(path, { access })
    expect([await reader.recent(), await reader.search("x")]).toEqual([[], []])
    expect(await reader.stats()).toEqual({ stored: 0, folders: 0, sessions: 0, bytes: 0 })
    expect(readdirSync(folder)).toEqual([])
    const writer = openHistory(path)
    writer.add("one")
    await writer.flush()
    expect(await textsOf(reader.recent())).toEqual(["one"])
  })

  it("gives nothing from an empty file", async () => {
    const { path } = { path: join(tempFolder(), "history.db") }
    writeFileSync(path, "")
    const reader = openHistory(path, { access })
    expect([await reader.recent(), (await reader.stats()).stored]).toEqual([[], 0])
    await reader.close()
    expect(readFileSync(path, "utf8")).toBe("")
  })

  it.each([
    ["ours", withPrompts, ["fix the login", "Relogin"]],
    ["another program's", async () => ofAnother(), ["Relogin", "fix the login"]],
  ])("finds everything in a database, and leaves it as it is: %s", async (_, make, logins) => {
    const { folder, path } = await make()
    const before = filesIn(folder)
    const reader = openHistory(path, { access })
    expect(await textsOf(reader.search("LOGI"))).toEqual(logins)
    expect(await textsOf(reader.search("试"))).toEqual(["运行测试"])
    expect(await reader.recent()).toHaveLength(3)
    expect((await reader.stats()).oldest).toBeDefined()
    await reader.close()
    expect(filesIn(folder)).toEqual(before)
  })

  it("refuses every change", async () => {
    const { folder, path } = await withPrompts()
    const before = filesIn(folder)
    const reader = openHistory(path, { access })
    reader.add("new")
    const refused = {
      code: "StorageError",
      message: expect.stringContaining("opened for reading"),
      data: { key: path },
    }
    await expect(reader.flush()).rejects.toMatchObject(refused)
    await expect(reader.delete({ query: "login" })).rejects.toMatchObject(refused)
    await expect(openHistory(path, { access }).import([])).rejects.toMatchObject(refused)
    expect(await textsOf(reader.search("new"))).toEqual([])
    await reader.close().catch(() => {})
    expect(filesIn(folder)).toEqual(before)
  })

  it("finds everything where the index is damaged, and repairs nothing", async () => {
    const { folder, path } = await withPrompts()
    const db = new Database(path)
    db.unsafeMode()
    db.exec("UPDATE history_fts_data SET block = zeroblob(40) WHERE id > 10")
    db.close()
    const before = filesIn(folder)
    const reader = openHistory(path, { access })
    expect(await textsOf(reader.search("ogin"))).toEqual(["fix the login", "Relogin"])
    await reader.close()
    expect(filesIn(folder)).toEqual(before)
  })

  it("says so where the file is no database, and leaves it there", async () => {
    const folder = tempFolder()
    const path = join(folder, "history.db")
    writeFileSync(path, "this is no database ".repeat(1000))
    const reader = openHistory(path, { access })
    await expect(reader.recent()).rejects.toMatchObject({ code: "StorageError", data: { errno: "SQLITE_NOTADB" } })
    expect(readdirSync(folder)).toEqual(["history.db"])
  })
})

it("finds what one finds that writes, whatever other programs changed before", async () => {
  const { path } = await withPrompts()
  const reader = openHistory(path, { access })
  const db = new Database(path)
  const text = fc.constantFrom("ab", "abc", "b c", "构建", "fix the login")
  const statement = fc.oneof(
    fc
      .tuple(text, fc.nat(9))
      .map(([prompt, at]) => ["INSERT INTO history(prompt, created_at, cwd) VALUES (?, ?, '/0')", prompt, at]),
    text.map((prompt) => ["UPDATE history SET prompt = ? WHERE id % 3 = 0", prompt]),
    fc.nat(4).map((rest) => ["DELETE FROM history WHERE id % 5 = ?", rest]),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 6 }), async (statements) => {
      for (const [sql, ...values] of statements) db.prepare(String(sql)).run(...values)
      const ask = async (history: typeof reader) => [
        await history.search("b"),
        await history.search("构"),
        await history.search("", { scope: { kind: "cwd", cwd: "/0" } }),
      ]
      const found = await ask(reader)
      const writer = openHistory(path)
      expect(found).toEqual(await ask(writer))
      await writer.close()
      expect(await ask(reader)).toEqual(found)
    }),
    { numRuns: tries(4) },
  )
  db.close()
})
