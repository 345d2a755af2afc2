import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"

/** The tables of opencode 1.18 with the columns that are read. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`

export const START = Date.parse("2026-11-25T10:00:00.000Z")

/** Those that opencode 2 has in the same database. */
const SECOND_TABLES = `
  CREATE TABLE IF NOT EXISTS session_v2 (id text PRIMARY KEY, parent_id text, fork_session_id text, directory text NOT NULL, title text,
    version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE IF NOT EXISTS session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS kv (key text PRIMARY KEY, value text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL);`

/** Opens opencode's database in a folder as opencode does: in WAL mode. */
export async function withOpencode<Result>(
  dir: string,
  change: (db: SqliteDatabase) => Result,
  file = "opencode.db",
): Promise<Result> {
  mkdirSync(dir, { recursive: true })
  const db = (await loadDriver()).open(join(dir, file))
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(TABLES)
    return change(db)
  } finally {
    db.close()
  }
}

/** Adds a session, created so many seconds after the first. */
export function addSession(
  db: SqliteDatabase,
  id: string,
  at: number,
  fields: Record<string, string | null> = {},
): void {
  const { parent_id = null, directory = "/home/ada/shop", title = "A title", revert = null } = fields
  const time = START + at * 1000
  db.prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(
    ...[id, parent_id, directory, title, "1.18.33", revert, time, time],
  )
}

/** Adds a message with its parts, their ids in order. */
export function addMessage(
  db: SqliteDatabase,
  session: string,
  at: number,
  data: Readonly<Record<string, unknown>>,
  parts: readonly Readonly<Record<string, unknown>>[],
): string {
  const id = `msg_${String(at).padStart(4, "0")}`
  const time = START + at * 1000
  const { created = time } = data
  db.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)").run(id, session, Number(created), time, JSON.stringify(data))
  for (const [index, part] of parts.entries())
    db.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)").run(
      ...[`prt_${id}_${index}`, id, session, time, time, JSON.stringify(part)],
    )
  return id
}

/** Adds a session of opencode 2, created so many seconds after the first. */
export function addSecondSession(
  db: SqliteDatabase,
  id: string,
  at: number,
  fields: Record<string, string | null> = {},
): void {
  db.exec(SECOND_TABLES)
  const {
    parent_id = null,
    fork_session_id = null,
    directory = "/home/ada/shop",
    title = "A title",
    revert = null,
  } = fields
  const time = START + at * 1000
  db.prepare("INSERT INTO session_v2 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    ...[id, parent_id, fork_session_id, directory, title, "2.0.8", revert, time, time],
  )
}

/** Adds a message of opencode 2, whose `seq` and time are the seconds after the first session. */
export function addSecondMessage(
  db: SqliteDatabase,
  session: string,
  at: number,
  type: string,
  data: Readonly<Record<string, unknown>>,
  id = `msg_${String(at).padStart(4, "0")}`,
): string {
  const time = START + at * 1000
  const times = { created: time, completed: time + 1 }
  db.prepare("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)").run(
    ...[id, session, type, at, time, time, JSON.stringify({ time: times, ...data })],
  )
  return id
}

export const SECOND_REPLY = {
  ...{ agent: "build", model: { id: "claude-sonnet-5", providerID: "anthropic" }, finish: "stop", cost: 0.25 },
  tokens: { input: 10, output: 5, reasoning: 2, cache: { read: 1000, write: 100 } },
}

export const USER = { role: "user", agent: "build", model: { providerID: "anthropic", modelID: "claude-sonnet-5" } }
export const REPLY = {
  ...{ role: "assistant", providerID: "anthropic", modelID: "claude-sonnet-5", finish: "stop", cost: 0.25 },
  tokens: { input: 10, output: 5, reasoning: 2, cache: { read: 1000, write: 100 } },
}
export const text = (text: string) => ({ type: "text", text })
