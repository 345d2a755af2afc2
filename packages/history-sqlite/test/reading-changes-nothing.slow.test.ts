import { createHash } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { openCopy, retryBusy } from "@treelog-internal/sqlite"
import { tries } from "@treelog-internal/test-kit"
import Database from "better-sqlite3"
import fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const BETTER_SQLITE3 = { name: "better-sqlite3", open: (path: string) => new Database(path) }

const access = "read"
const isRoot = process.getuid?.() === 0

/** As omp makes it. */
const OMP = `
CREATE TABLE history (
  id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), cwd TEXT
);
CREATE INDEX idx_history_created_at ON history(created_at DESC);
CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
  INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
END;`

type OpenDatabase = InstanceType<typeof Database>

interface Place {
  readonly folder: string
  readonly path: string
}

const newPlace = (): Place => {
  const folder = tempFolder()
  return { folder, path: join(folder, "history.db") }
}

/** Everything about a folder that could change: bytes, sizes, modes, times and names, its own among them. */
function stateOf(folder: string): unknown {
  return [".", ...readdirSync(folder).sort()].map((name) => {
    const { ino, mode, size, mtimeNs, ctimeNs, nlink } = lstatSync(join(folder, name), { bigint: true })
    const sum =
      name === "."
        ? ""
        : createHash("sha256")
            .update(readFileSync(join(folder, name)))
            .digest("hex")
    return [name, ino, mode, size, mtimeNs, ctimeNs, nlink, sum].map(String)
  })
}

function rows(db: OpenDatabase, from: number, to: number): number {
  const insert = db.prepare("INSERT INTO history(prompt, created_at) VALUES (?, ?)")
  for (let at = from; at < to; at++) insert.run(`prompt ${at} ${"x".repeat(50)}`, at)
  return to
}

function opened(path: string): OpenDatabase {
  const db = new Database(path)
  onTestFinished(() => void db.close())
  return db
}

async function clean({ path }: Place): Promise<Place["path"]> {
  const history = openHistory(path)
  await history.import(Array.from({ length: 60 }, (_, at) => ({ text: `prompt ${at}`, createdAt: at * 1000 })))
  await history.close()
  return path
}

async function ofOmp({ path }: Place): Promise<Place["path"]> {
  const db = new Database(path)
  db.exec(`PRAGMA journal_mode = WAL; ${OMP}`)
  rows(db, 0, 60)
  db.close()
  return path
}

/** Frames in the log that are not in the database, and a transaction that has not ended. */
async function liveWriter({ path }: Place): Promise<Place["path"]> {
  const db = opened(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${OMP}`)
  rows(db, 0, 30)
  db.pragma("wal_checkpoint(PASSIVE)", { simple: true })
  rows(db, 30, 60)
  db.exec("PRAGMA cache_size = 2; BEGIN IMMEDIATE")
  rows(db, 60, 400)
  return path
}

/** A log that begins anew in its file, with older frames behind. */
async function restartedLog({ path }: Place): Promise<Place["path"]> {
  const db = opened(path)
  db.exec(`PRAGMA journal_mode = WAL; ${OMP}`)
  rows(db, 0, 50)
  db.pragma("wal_checkpoint(RESTART)", { simple: true })
  rows(db, 50, 60)
  return path
}

/** What is on the disk of a writer, copied: as it would be had it been killed. */
const killed =
  (make: (place: Place) => Promise<string>, files: readonly string[]) =>
  async ({ path }: Place): Promise<Place["path"]> => {
    const source = await make(newPlace())
    for (const file of files) if (existsSync(source + file)) copyFileSync(source + file, path + file)
    return path
  }

/** Half of a transaction in the database, and what was there before in the journal. */
async function journal({ path }: Place): Promise<Place["path"]> {
  const db = opened(path)
  db.exec(`PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; ${OMP}`)
  rows(db, 0, 60)
  db.exec("PRAGMA cache_size = 2; BEGIN IMMEDIATE")
  db.exec("DELETE FROM history WHERE id % 2 = 0")
  rows(db, 60, 400)
  expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
  return path
}

const STATES: readonly [string, (place: Place) => Promise<string>][] = [
  ["clean", clean],
  ["clean, of another program", ofOmp],
  ["a live writer, with a log", liveWriter],
  ["a live writer, with a log that was restarted", restartedLog],
  ["a log that a killed writer left", killed(liveWriter, ["", "-wal", "-shm"])],
  ["a log without its -shm", killed(liveWriter, ["", "-wal"])],
  ["an empty log", killed(clean, ["", "-wal"])],
  ["a live writer, with a journal", journal],
  ["a journal that a killed writer left", killed(journal, ["", "-journal"])],
]

async function expectReadWithoutChange({ folder, path }: Place): Promise<void> {
  const before = stateOf(folder)
  const reader = openHistory(path, { access })
  expect(await reader.recent({ limit: 1000 })).toHaveLength(60)
  expect(await textsOf(reader.search("ROMPT 59"))).toEqual([expect.stringMatching(/^prompt 59/)])
  expect((await reader.stats()).stored).toBe(60)
  await reader.close()
  expect(stateOf(folder)).toEqual(before)
}

describe("reading changes nothing, and finds what is committed:", () => {
  it.each(STATES)("%s", async (_, make) => {
    const place = newPlace()
    await make(place)
    await expectReadWithoutChange(place)
  })

  // Root may write everywhere, whatever the modes say.
  it.skipIf(isRoot).each(STATES)("without permission to write (skipped for root): %s", async (_, make) => {
    const place = newPlace()
    await make(place)
    for (const name of readdirSync(place.folder)) chmodSync(join(place.folder, name), 0o444)
    chmodSync(place.folder, 0o555)
    onTestFinished(() => chmodSync(place.folder, 0o755))
    await expectReadWithoutChange(place)
  })

  it.skipIf(isRoot)("a file without permission to read is reported (skipped for root)", async () => {
    const place = newPlace()
    await clean(place)
    chmodSync(place.path, 0)
    const reader = openHistory(place.path, { access })
    await expect(reader.recent()).rejects.toMatchObject({ code: "StorageError", data: { errno: "EACCES" } })
  })

  it("a journal that is damaged, and one that is none", async () => {
    for (const bytes of ["", "no journal ".repeat(50)]) {
      const place = newPlace()
      await clean(place)
      writeFileSync(`${place.path}-journal`, bytes)
      writeFileSync(`${place.path}-wal`, bytes)
      await expectReadWithoutChange(place)
    }
  })
})

it("reads what SQLite reads, whatever a writer did before", async () => {
  const command = fc.oneof(
    fc.record({ do: fc.constant("insert" as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ do: fc.constant("delete" as const), count: fc.integer({ min: 2, max: 5 }) }),
    fc.record({ do: fc.constantFrom("PASSIVE", "FULL", "RESTART", "TRUNCATE"), count: fc.constant(0) }),
    fc.record({ do: fc.constantFrom("VACUUM" as const, "WAL" as const, "DELETE" as const), count: fc.constant(0) }),
    fc.record({ do: fc.constantFrom("begin" as const, "rollback" as const, "commit" as const), count: fc.constant(0) }),
  )
  const all = "SELECT id, prompt FROM history ORDER BY id"
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const { path } = newPlace()
      const db = new Database(path)
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = 2; ${OMP}`)
      let next = 0
      let committed: unknown[] = []
      for (const { do: what, count } of commands) {
        if (what === "insert") next = rows(db, next, next + count)
        else if (what === "delete") db.prepare("DELETE FROM history WHERE id % ? = 0").run(count)
        else if (what === "begin") db.inTransaction || db.exec("BEGIN IMMEDIATE")
        else if (what === "rollback" || what === "commit") db.inTransaction && db.exec(what)
        else if (db.inTransaction) continue
        else if (what === "VACUUM") db.exec("VACUUM")
        else if (what === "WAL" || what === "DELETE") db.pragma(`journal_mode = ${what}`, { simple: true })
        else db.pragma(`wal_checkpoint(${what})`, { simple: true })
        const copied = await retryBusy(() => openCopy(BETTER_SQLITE3, path))
        const copy = copied?.db as InstanceType<typeof Database>
        if (!db.inTransaction) committed = db.prepare(all).all()
        expect(copy.prepare(all).all()).toEqual(committed)
        expect(copy.pragma("integrity_check", { simple: true })).toBe("ok")
        copy.close()
      }
      db.close()
    }),
    { numRuns: tries(4) },
  )
})
