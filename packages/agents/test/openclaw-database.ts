import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"

/** The tables of OpenClaw 2026.9 with the columns that are read. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
    event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
  CREATE TABLE IF NOT EXISTS session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL, parent_session_key TEXT, spawned_by TEXT,
    created_via TEXT, fork_source_session_id TEXT, label TEXT, display_name TEXT);`

/** Those that OpenClaw makes when it needs them. */
export const ARCHIVES = `
  CREATE TABLE session_transcript_archives (session_id TEXT, generation TEXT, reason TEXT, encoding TEXT, archive_blob BLOB, created_at INTEGER);
  CREATE TABLE session_transcript_cold_archives (session_id TEXT, archive_name TEXT, raw_bytes INTEGER, last_seq INTEGER, archive_blob BLOB);`

const START = Date.parse("2026-11-25T10:00:00.000Z")
let clock = 0

export const databaseOf = (dir: string): string => join(dir, "agents", "main", "agent", "openclaw-agent.sqlite")

/** Opens the database of the agent `main` as OpenClaw does: in WAL mode. */
export async function withOpenclaw<Result>(dir: string, change: (db: SqliteDatabase) => Result): Promise<Result> {
  mkdirSync(dirname(databaseOf(dir)), { recursive: true })
  const db = (await loadDriver()).open(databaseOf(dir))
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(TABLES)
    return change(db)
  } finally {
    db.close()
  }
}

type Fields = Readonly<Record<string, unknown>>

/** An event with an id and a time, behind the one with this id. */
export function event(type: string, parentId: string | null, fields: Fields = {}) {
  const at = ++clock
  const id = `e${at}`
  return { type, id, parentId, timestamp: new Date(START + at * 1000).toISOString(), ...fields }
}

export const USAGE = { input: 10, output: 5, cacheRead: 1000, cacheWrite: 100, totalTokens: 1115 }
export const said = (role: string, content: unknown, more: Fields = {}) => ({
  message: {
    ...{ role, content, timestamp: START + clock * 1000 },
    ...(role === "assistant" && { provider: "local", model: "local-1", stopReason: "stop", usage: USAGE }),
    ...more,
  },
})

export const headerOf = (id: string, cwd = "/home/ada/shop") => ({
  ...{ type: "session", version: 4, id, timestamp: new Date(START).toISOString(), cwd },
})

/** Adds a session with its key and its header, and these events. */
export function addSession(db: SqliteDatabase, id: string, events: readonly object[], fields: Fields = {}): void {
  const { key = `agent:main:${id}`, cwd = "/home/ada/shop", node = {}, reason = null, previous = null } = fields
  const time = START + ++clock * 1000
  const {
    parent_session_key = null,
    fork_source_session_id = null,
    display_name = null,
  } = node as Record<string, string>
  db.prepare("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, ?, NULL, NULL, ?, NULL, ?)").run(
    ...[String(key), id, parent_session_key, fork_source_session_id, display_name],
  )
  db.prepare("INSERT INTO session_windows VALUES (?, ?, ?, ?, ?, ?)").run(
    ...[id, String(key), previous as string | null, reason as string | null, time, time],
  )
  addEvents(db, id, [headerOf(id, String(cwd)), ...events])
}

export function addEvents(db: SqliteDatabase, id: string, events: readonly object[]): void {
  const { next } = db
    .prepare("SELECT coalesce(max(seq) + 1, 0) AS next FROM transcript_events WHERE session_id = ?")
    .get<{ next: number }>(id) as { next: number }
  for (const [at, one] of events.entries())
    db.prepare("INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL, NULL, NULL)").run(
      ...[id, next + at, JSON.stringify(one), START + ++clock * 1000],
    )
}

/** A frame of zstd with one block that is not compressed: Node 20 has no compressor. */
export function zstdFrame(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const head = (bytes.length << 3) | 1
  return Buffer.concat([
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, head & 0xff, (head >> 8) & 0xff, head >> 16),
    bytes,
  ])
}
