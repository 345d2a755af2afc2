import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"

const TABLES = `
  CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
  CREATE TABLE IF NOT EXISTS composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, value TEXT);`

const START = Date.parse("2026-11-25T10:00:00.000Z")
let clock = 0

type Fields = Readonly<Record<string, unknown>>
export type Bubble = Fields & { readonly bubbleId: string; readonly type: number }

/** Opens Cursor's database in its folder as Cursor does: in WAL mode. */
export async function withCursor<Result>(dir: string, change: (db: SqliteDatabase) => Result): Promise<Result> {
  mkdirSync(join(dir, "globalStorage"), { recursive: true })
  const db = (await loadDriver()).open(join(dir, "globalStorage", "state.vscdb"))
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(TABLES)
    return change(db)
  } finally {
    db.close()
  }
}

export function put(db: SqliteDatabase, key: string, value: unknown): void {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  db.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run(key, text)
}

/** A bubble a second after the last one. */
export function bubble(type: number, fields: Fields): Bubble {
  const at = ++clock
  return { _v: 3, bubbleId: `b${at}`, type, createdAt: new Date(START + at * 1000).toISOString(), ...fields }
}

export const user = (text: string, more: Fields = {}): Bubble => bubble(1, { text, ...more })
export const reply = (text: string, more: Fields = {}): Bubble =>
  bubble(2, { text, tokenCount: { inputTokens: 10, outputTokens: 5 }, ...more })
/** A bubble with a call and, unless it runs, its result. */
export const call = (name: string, args: Fields, more: Fields = {}): Bubble => {
  const toolCallId = `call${clock + 1}`
  const texts = { rawArgs: JSON.stringify(args), params: "{}", status: "completed" }
  return bubble(2, { text: "", capabilityType: 15, toolFormerData: { toolCallId, name, ...texts, ...more } })
}

/** Adds a composer with these bubbles. */
export function addComposer(db: SqliteDatabase, id: string, bubbles: readonly Bubble[], fields: Fields = {}): void {
  const time = START + ++clock * 1000
  const list = { fullConversationHeadersOnly: [] }
  const names = { name: "A title", modelConfig: { modelName: "model-1" }, workspaceIdentifier: workspace("/home/ada") }
  put(db, `composerData:${id}`, { _v: 17, composerId: id, createdAt: time, ...names, ...list, ...fields })
  addBubbles(db, id, bubbles)
}

export const workspace = (fsPath: string) => ({ id: "1", uri: { scheme: "file", fsPath } })

export function addBubbles(db: SqliteDatabase, id: string, bubbles: readonly Bubble[]): void {
  for (const one of bubbles) put(db, `bubbleId:${id}:${one.bubbleId}`, one)
  const key = `composerData:${id}`
  const row = db.prepare("SELECT value FROM cursorDiskKV WHERE key = ?").get<{ value: string }>(key)
  const composer = JSON.parse(String(row?.value))
  const headers = bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }))
  const fullConversationHeadersOnly = [...(composer.fullConversationHeadersOnly ?? []), ...headers]
  put(db, key, { ...composer, lastUpdatedAt: START + ++clock * 1000, fullConversationHeadersOnly })
}
