import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CodexSource } from "@treelog/agents/codex"
import { chooseDriver, type SqliteDatabase, type SqliteDriver } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test, vi } from "vitest"
import { TestHome } from "../home.js"
import { sessionsOf } from "../sessions-of.js"

const THREADS = ["a", "b", "c", "d", "e"].map((digit) => `01a20000-aaaa-7aaa-8aaa-${digit.repeat(12)}`)
const [A = "", B = "", C = "", D = "", E = ""] = THREADS

const OLD = "CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT NOT NULL, updated_at INTEGER NOT NULL)"
const OF_2026 = `${OLD.slice(0, -1)}, first_user_message TEXT NOT NULL DEFAULT '')`
const NEWEST = `${OF_2026.slice(0, -1)}, updated_at_ms INTEGER, name TEXT, name_state TEXT NOT NULL DEFAULT 'legacy_unknown')`

async function driverHere(): Promise<SqliteDriver> {
  const driver = await chooseDriver()
  if (!("open" in driver)) throw new Error(driver.needs)
  return driver
}

/** A folder of Codex with these threads, each with its first prompt, and its database. */
class Home {
  readonly errors: string[] = []
  private constructor(
    readonly home: TestHome,
    readonly db: SqliteDatabase,
  ) {}

  static async make(schema: string, database = "state_5.sqlite"): Promise<Home> {
    const day = "2026-03-07T14-00-00"
    const files = THREADS.map((id) => ({
      name: `sessions/2026/03/07/rollout-${day}-${id}.jsonl`,
      text: `${JSON.stringify({ timestamp: "2026-03-07T14:00:00.000Z", type: "session_meta", payload: { id, cwd: "/shop" } })}\n`,
    }))
    const home = await TestHome.make(files)
    const db = (await driverHere()).open(join(home.dir, database))
    onTestFinished(() => home.remove())
    db.exec(`PRAGMA journal_mode = WAL; ${schema}`)
    return new Home(home, db)
  }

  row(id: string, fields: Readonly<Record<string, string | number | null>>): void {
    const row = { id, title: "", updated_at: 1_800_000_000, ...fields }
    const names = Object.keys(row)
    this.db
      .prepare(`INSERT OR REPLACE INTO threads (${names.join()}) VALUES (${names.map(() => "?").join()})`)
      .run(...Object.values(row))
  }

  source(loadDriver: () => Promise<SqliteDriver | undefined> = driverHere): CodexSource {
    const onTitlesError = ({ message }: Error): unknown => this.errors.push(message)
    return new CodexSource({ dir: this.home.dir, loadDriver, onTitlesError })
  }

  /** The names that a list shows. */
  async names(source = this.source()): Promise<Record<string, string | undefined>> {
    const names: Record<string, string | undefined> = {}
    for (const session of await sessionsOf(source)) names[session.id ?? ""] = (await source.facts(session)).name
    return names
  }

  /** All that reading could change: names, sizes, times and bytes. */
  state(): unknown[] {
    return readdirSync(this.home.dir, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => {
        const path = join(this.home.dir, name)
        const { ino, mtimeMs, size } = statSync(path)
        return [name, ino, mtimeMs, size, statSync(path).isFile() && readFileSync(path, "base64")]
      })
  }
}

test("threads have the names of Codex's database, but not its copies of their first prompts", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { name: "Cents 💶", name_state: "explicit", title: "Cents 💶" })
  home.row(B, { title: "Add a test", first_user_message: " Add a test\n" })
  home.row(C, { title: "Named before the migration", first_user_message: "Add a test" })
  home.row(D, { title: "made up by a model", first_user_message: "Add a test", name_state: "unnamed" })
  expect(await home.names()).toEqual({ [A]: "Cents 💶", [C]: "Named before the migration" })
  expect(home.errors).toEqual([])
})

test.each([
  ["without a column for first prompts", OLD],
  ["without names", OF_2026],
])("a database of an earlier version, %s, is read too", async (_, schema) => {
  const home = await Home.make(schema)
  home.row(A, { title: "Cents" })
  expect(await home.names()).toEqual({ [A]: "Cents" })
  expect(home.errors).toEqual([])
})

/** Another database in the same folder, in which one thread has a name. */
async function addDatabase({ home }: Home, name: string, title: string): Promise<void> {
  const db = (await driverHere()).open(join(home.dir, name))
  db.exec(`${OF_2026}; INSERT INTO threads (id, title, updated_at) VALUES ('${A}', '${title}', 1800000000)`)
  db.close()
}

test.each(["state_4.sqlite", "state_6.sqlite", "state_10.sqlite"])(
  "the newest database is read, %s where no other is there, and older ones are ignored",
  async (name) => {
    const home = await Home.make(NEWEST, name)
    home.row(A, { title: "of this one" })
    expect(await home.names()).toEqual({ [A]: "of this one" })
    await addDatabase(home, "state_3.sqlite", "of an older one")
    for (const other of ["state_99.sqlite.bak", "state_99.sqlite-wal", "old-state_99.sqlite", "state_x.sqlite"])
      await home.home.write(other, "no database")
    expect(await home.names()).toEqual({ [A]: "of this one" })
    expect(home.errors).toEqual([])
  },
)

test("a source goes on with a newer database as soon as there is one, also where that cannot be read", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { title: "of the fifth" })
  const source = home.source()
  expect(await home.names(source)).toEqual({ [A]: "of the fifth" })
  await addDatabase(home, "state_12.sqlite", "of the twelfth")
  expect(await home.names(source)).toEqual({ [A]: "of the twelfth" })
  const path = await home.home.write("state_13.sqlite", "no database ".repeat(400))
  expect(await home.names(source)).toEqual({})
  expect(home.errors).toEqual([expect.stringContaining(path)])
})

test("of the index and the database, what is newer counts, and a name that was removed is none", async () => {
  const home = await Home.make(NEWEST)
  const at = Date.parse("2026-03-07T14:00:00.000Z")
  const newer = { updated_at_ms: at + 1 }
  const older = { updated_at_ms: at - 1 }
  home.row(A, { ...older, name: "stale", name_state: "explicit" })
  home.row(B, { ...newer, name: "renamed", name_state: "explicit" })
  home.row(C, { ...newer, name_state: "cleared", title: "of old" })
  home.row(D, { ...newer, name_state: "unnamed" })
  const lines = [A, B, C, D, E].map((id) => ({ id, thread_name: "indexed", updated_at: new Date(at).toISOString() }))
  await home.home.write("session_index.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  expect(await home.names()).toEqual({ [A]: "indexed", [B]: "renamed", [D]: "indexed", [E]: "indexed" })
})

test("the database of the desktop app is read too, and of both what is newer counts", async () => {
  const home = await Home.make(NEWEST)
  mkdirSync(join(home.home.dir, "sqlite"))
  const ofApp = (await driverHere()).open(join(home.home.dir, "sqlite/state_5.sqlite"))
  onTestFinished(() => void ofApp.close())
  ofApp.exec(`${NEWEST}; INSERT INTO threads (id, title, updated_at, updated_at_ms, name, name_state) VALUES
    ('${A}', '', 1, 2000, 'by the app', 'explicit'), ('${B}', '', 1, 2000, 'by the app', 'explicit'), ('${C}', '', 1, 2000, '', 'cleared')`)
  const fields = { name: "by the command", name_state: "explicit" }
  home.row(B, { ...fields, updated_at_ms: 3000 })
  home.row(C, { ...fields, updated_at_ms: 1000 })
  home.row(D, { ...fields, updated_at_ms: 1000 })
  expect(await home.names()).toEqual({ [A]: "by the app", [B]: "by the command", [D]: "by the command" })
  expect(home.errors).toEqual([])
})

test("reading changes nothing, whether Codex is running, was killed, or has ended", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { title: "in the log" })
  const running = home.state()
  expect(running.map((each) => (each as string[])[0])).toContain("state_5.sqlite-wal")
  expect(await home.names()).toEqual({ [A]: "in the log" })
  expect(home.state()).toEqual(running)
  home.db.close()
  const ended = home.state()
  expect(ended.map((each) => (each as string[])[0])).not.toContain("state_5.sqlite-wal")
  expect(await home.names()).toEqual({ [A]: "in the log" })
  expect(home.state()).toEqual(ended)
})

test("a database that another process has locked is read as it was committed last", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { title: "committed" })
  home.db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
  home.row(B, { title: "not committed" })
  expect(await home.names()).toEqual({ [A]: "committed" })
  home.db.exec("COMMIT")
  expect(await home.names()).toEqual({ [A]: "committed", [B]: "not committed" })
})

test("a source sees names that are given while it runs, and the sessions have another version", async () => {
  const home = await Home.make(NEWEST)
  const source = home.source()
  expect(await home.names(source)).toEqual({})
  const key = join(home.home.dir, "sessions/2026/03/07", `rollout-2026-03-07T14-00-00-${A}.jsonl`)
  const before = await source.find(key)
  home.row(A, { title: "named now" })
  expect(await home.names(source)).toEqual({ [A]: "named now" })
  expect((await source.find(key))?.version).not.toBe(before?.version)
})

test.each([
  ["damaged", (path: string) => writeFileSync(path, readFileSync(path).fill(0x5a, 100))],
  ["not SQLite's", (path: string) => writeFileSync(path, "no database ".repeat(400))],
  ["cut", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
])("a database that is %s is reported once, and the other names are there", async (_, damage) => {
  const home = await Home.make(NEWEST)
  home.row(A, { title: "lost" })
  home.db.close()
  const path = join(home.home.dir, "state_5.sqlite")
  damage(path)
  await home.home.write("session_index.jsonl", `{"id":"${B}","thread_name":"indexed"}\n`)
  const source = home.source()
  for (let time = 0; time < 2; time++) expect(await home.names(source)).toEqual({ [B]: "indexed" })
  expect(home.errors).toEqual([expect.stringContaining(path)])
})

test("a database with other tables is reported", async () => {
  const home = await Home.make("CREATE TABLE conversations (id TEXT)")
  expect(await home.names()).toEqual({})
  expect(home.errors).toEqual([expect.stringContaining("no such table: threads")])
})

test("nothing is reported where there is no database, or no SQLite", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { title: "unread" })
  expect(await home.names(home.source(async () => undefined))).toEqual({})
  const empty = mkdtempSync(join(tmpdir(), "codex-home-"))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const source = new CodexSource({ dir: home.home.dir, stateDir: empty, loadDriver: driverHere })
  expect(await home.names(source)).toEqual({})
  expect(home.errors).toEqual([])
})

test("names that were noted are read without SQLite until the database changes, and a damaged note is none", async () => {
  const home = await Home.make(NEWEST)
  home.row(A, { name: "Cents", name_state: "explicit" })
  home.row(C, { name: "", name_state: "cleared" })
  const kept = new Map<string, object>()
  const noted = (loads: () => void) => {
    const source = home.source(async () => {
      loads()
      return driverHere()
    })
    source.useNotes({
      get: (path, version, kind = "") => kept.get(`${path} ${version} ${kind}`),
      put: (path, version, note, kind = "") => kept.set(`${path} ${version} ${kind}`, JSON.parse(JSON.stringify(note))),
    })
    return source
  }
  const count = vi.fn()
  // What was written in this moment is not noted.
  await expect
    .poll(async () => {
      count.mockClear()
      expect(await home.names(noted(count))).toEqual({ [A]: "Cents" })
      return count.mock.calls.length
    })
    .toBe(0)
  for (const [key, note] of kept) if ("titles" in note) kept.set(key, { titles: [[A], 5] })
  expect(await home.names(noted(count))).toEqual({ [A]: "Cents" })
  expect(count).toHaveBeenCalledTimes(1)
  home.row(A, { name: "Euros", name_state: "explicit" })
  expect(await home.names(noted(count))).toEqual({ [A]: "Euros" })
})
