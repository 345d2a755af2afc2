import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SqliteDatabase, SqliteDriver, SqliteStatement } from "@treelog/history-sqlite"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { loadDriver } from "./door.js"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const SECRET = "Xylophone-Quagmire flibbertigibbet"
const FILES = ["", "-wal", "-shm"]

const prompts = Array.from({ length: 40 }, (_, at) => ({ text: `ordinary ${at}`, createdAt: at * 1e6, cwd: "/a" }))

async function ours(path: string): Promise<void> {
  const history = openHistory(path)
  await history.import([...prompts, { text: SECRET, createdAt: 5e6 }, { text: SECRET, createdAt: 9e6, sessionId: "s" }])
  await history.close()
}

/** Of a program that does not overwrite what it moves. */
async function ofOthers(path: string): Promise<void> {
  const db = new Database(path)
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);`)
  const insert = db.prepare("INSERT INTO history(prompt, created_at) VALUES (?, ?)")
  for (let at = 0; at < 40; at++) insert.run(`${SECRET} ${at}`, at)
  for (let at = 0; at < 40; at++) insert.run(`ordinary ${at} ${"x".repeat(300)}`, at)
  db.close()
  await openHistory(path).close()
}

/** A driver that calls `before` before each call of SQLite. */
async function observed(before: () => void): Promise<SqliteDriver> {
  const observe = <Target extends object>(target: Target, more: (name: string, result: unknown) => unknown): Target =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name)
        if (typeof value !== "function") return value
        return (...values: unknown[]) => {
          before()
          return more(String(name), value.apply(object, values))
        }
      },
    })
  const driver = await loadDriver()
  return {
    ...driver,
    open: (path) =>
      observe<SqliteDatabase>(driver.open(path), (name, result) =>
        name === "prepare" ? observe(result as SqliteStatement, (_, rows) => rows) : result,
      ),
  }
}

function holds(path: string): boolean {
  const files = FILES.map((file) => path + file).filter((file) => existsSync(file))
  return files.some((file) => readFileSync(file).includes("flibbertigibbet"))
}

it.each([
  ["ours", ours, [1]],
  ["another program's", ofOthers, [40]],
])(
  "a delete that is killed at any moment is done or not, and the next writer erases the rest: %s",
  async (_, make, counts) => {
    const folder = tempFolder()
    const path = join(folder, "history.db")
    await make(path)
    const states: string[] = []
    let isDeleting = false
    let last = ""
    const keepState = () => {
      if (!isDeleting) return
      const now = FILES.slice(0, 2).map((file) => (existsSync(path + file) ? readFileSync(path + file, "latin1") : ""))
      // Most calls write nothing.
      if (now.join() === last) return
      last = now.join()
      const state = join(folder, `state ${states.length}`)
      mkdirSync(state)
      for (const file of FILES) if (existsSync(path + file)) copyFileSync(path + file, join(state, `history.db${file}`))
      states.push(join(state, "history.db"))
    }
    const history = openHistory(path, { loadDriver: () => observed(keepState) })
    await history.recent()
    isDeleting = true
    await history.delete({ query: "flibbertigibbet" })
    isDeleting = false
    await history.close()
    expect([holds(path), states.length > 2]).toEqual([false, true])
    const found = new Set<number>()
    for (const state of states) {
      const reader = openHistory(state, { access: "read" })
      const read = await textsOf(reader.search("flibbertigibbet", { limit: 1000 }))
      await reader.close()
      const next = openHistory(state)
      expect(await textsOf(next.search("flibbertigibbet", { limit: 1000 }))).toEqual(read)
      expect((await next.recent()).length).toBe(40 + read.length)
      await next.close()
      found.add(read.length)
      expect(holds(state)).toBe(read.length > 0)
      expect(readdirSync(join(state, ".."))).toEqual(["history.db"])
      expectSound(state)
    }
    expect([...found].sort()).toEqual([0, ...counts])
  },
)
