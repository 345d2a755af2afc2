import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

/**
 * What programs that keep prompts in such a file make of it: their table, index and trigger, and how they add a
 * prompt.
 */
const WORDS = `
CREATE INDEX idx_history_created_at ON history(created_at DESC);
CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
  INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
END;`
const ADD = "INSERT INTO history(prompt, created_at, cwd) VALUES (?, ?, ?)"
const UPSERT = `${ADD} ON CONFLICT(prompt) DO UPDATE SET created_at = excluded.created_at, cwd = excluded.cwd`

const PROGRAMS = [
  {
    name: "xcsh's first one",
    table: `CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL,
      created_at INTEGER NOT NULL DEFAULT (unixepoch()), cwd TEXT);`,
    add: ADD,
    version: 0,
    again: ["运行测试", "fix the login", "run the tests"],
  },
  {
    name: "omp's",
    table: `CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), cwd TEXT, session_id TEXT);`,
    add: UPSERT,
    version: 1,
    again: ["运行测试", "fix the login", "run the tests"],
  },
  {
    name: "one with counts",
    table: `CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL DEFAULT (unixepoch()), cwd TEXT, session_id TEXT, use_count INTEGER NOT NULL DEFAULT 1);`,
    add: UPSERT,
    version: 0,
    again: ["运行测试", "fix the login", "run the tests"],
  },
]

describe.each(PROGRAMS)("a database like $name", ({ table, add, version, again }) => {
  const make = () => {
    const path = join(tempFolder(), "history.db")
    const db = new Database(path)
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}; ${table} ${WORDS}`)
    const rows = ["fix the login", "run the tests", "运行测试"]
    for (const [at, prompt] of rows.entries()) db.prepare(add).run(prompt, 1_750_000_000 + at, "/home/user/shop")
    return { path, db }
  }

  it("opens with all its prompts, which are found at once", async () => {
    const { path, db } = make()
    db.close()
    expectSound(path)
    const history = openHistory(path)
    expect(await textsOf(history.recent())).toEqual(["运行测试", "run the tests", "fix the login"])
    expect(await textsOf(history.search("试"))).toEqual(["运行测试"])
    expect(await textsOf(history.search("OGI"))).toEqual(["fix the login"])
    const [prompt] = await history.search("login", { scope: { kind: "cwd", cwd: "/home/user/shop" } })
    expect(prompt).toMatchObject({ createdAt: 1_750_000_000_000, cwd: "/home/user/shop", sessionId: undefined })
    await history.close()
    expectSound(path)
  })

  it("takes new prompts, and the ones that it has", async () => {
    const { path, db } = make()
    db.close()
    let now = 1_760_000_000_000
    const history = openHistory(path, { clock: { now: () => (now += 1000) } })
    history.add("a new one", { cwd: "/a", sessionId: "s1" })
    history.add("fix the login", { cwd: "/b", sessionId: "s1" })
    expect(await textsOf(history.recent())).toEqual(["fix the login", "a new one", "运行测试", "run the tests"])
    expect(await textsOf(history.search("login", { scope: { kind: "cwd", cwd: "/b" } }))).toEqual(["fix the login"])
    const old = [{ text: "older", createdAt: 1_700_000_000_000 }]
    expect([await history.import(old), await history.import(old)]).toMatchObject([{ added: 1 }, { known: 1 }])
    expect((await textsOf(history.recent())).at(-1)).toBe("older")
    await history.close()
    expectSound(path)
  })

  it("shows what its own program writes meanwhile, changes and deletes", async () => {
    const { path, db } = make()
    const history = openHistory(path)
    await history.recent()
    db.prepare(add).run("fix the login", 1_760_000_000, "/home/user/api")
    db.prepare(add).run("运行测试", 1_760_000_001, "/home/user/api")
    expect(await textsOf(history.recent())).toEqual(again)
    db.prepare("UPDATE history SET prompt = 'something else' WHERE prompt = 'run the tests'").run()
    db.prepare("DELETE FROM history WHERE prompt = 'fix the login'").run()
    expect(await textsOf(history.recent())).toEqual(["运行测试", "something else"])
    expect(await textsOf(history.search("login"))).toEqual([])
    expect(await textsOf(history.search("thing els"))).toEqual(["something else"])
    const words = db.prepare("SELECT rowid FROM history_fts WHERE history_fts MATCH ?")
    expect(words.all("something")).toHaveLength(1)
    expect(words.all("tests")).toHaveLength(0)
    db.close()
    await history.close()
    expectSound(path)
  })

  it("keeps its version and its table as its program knows them", async () => {
    const { path, db } = make()
    const before = db.prepare("SELECT name, type FROM pragma_table_info('history')").all()
    const history = openHistory(path)
    history.add("new")
    await history.close()
    expect(db.pragma("user_version", { simple: true })).toBe(version)
    const after = db.prepare("SELECT name, type FROM pragma_table_info('history')").all()
    expect(after.slice(0, before.length)).toEqual(before)
    db.prepare(add).run("its own", 1_760_000_000, null)
    db.close()
    expectSound(path)
  })

  it("is indexed anew when its program makes the table anew, and with it drops our triggers", async () => {
    const { path, db } = make()
    const first = openHistory(path)
    await first.recent()
    await first.close()
    db.exec(`DROP TRIGGER history_ai; DROP TABLE history_fts; DROP INDEX idx_history_created_at;
      CREATE TABLE copy AS SELECT * FROM history; DROP TABLE history; ${table}
      INSERT INTO history(id, prompt, created_at, cwd) SELECT id + 10, prompt, created_at, cwd FROM copy; DROP TABLE copy;
      ${WORDS} INSERT INTO history_fts(history_fts) VALUES ('rebuild');`)
    db.close()
    const history = openHistory(path)
    expect(await textsOf(history.search("test"))).toEqual(["run the tests"])
    history.add("another test")
    expect(await textsOf(history.search("test"))).toEqual(["another test", "run the tests"])
    await history.close()
    expectSound(path)
  })
})

it("counts the uses of a prompt where the file does", async () => {
  const path = join(tempFolder(), "history.db")
  const db = new Database(path)
  db.exec(`${PROGRAMS[2]?.table} ${WORDS}`)
  const history = openHistory(path)
  history.add("one")
  history.add("two")
  history.add("one")
  await history.close()
  const rows = db.prepare("SELECT prompt, use_count FROM history ORDER BY prompt").all()
  db.close()
  expect(rows).toEqual([
    { prompt: "one", use_count: 2 },
    { prompt: "two", use_count: 1 },
  ])
})
