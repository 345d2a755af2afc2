import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"

/** The tables of Crush 0.96 that are read. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
    message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0.0, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
  CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]',
    model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT,
    is_summary_message INTEGER DEFAULT 0 NOT NULL);`

/** Seconds since 1970. */
export const START = Date.parse("2026-11-25T10:00:00.000Z") / 1000

/** Opens a project's database as Crush does, in WAL mode. @param dir the folder of Crush, which lists the project */
export async function withCrush<Result>(
  dir: string,
  change: (db: SqliteDatabase) => Result,
  project = join(dir, "shop"),
  folder = join(project, ".crush"),
): Promise<Result> {
  listProject(dir, project, folder)
  mkdirSync(folder, { recursive: true })
  const db = (await loadDriver()).open(join(folder, "crush.db"))
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(TABLES)
    return change(db)
  } finally {
    db.close()
  }
}

export function listProject(dir: string, path: string, data_dir: string): void {
  const file = join(dir, "projects.json")
  const { projects } = JSON.parse(readIfThere(file) || '{"projects":[]}') as { projects: { path: string }[] }
  const others = projects.filter((project) => project.path !== path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    JSON.stringify({ projects: [...others, { path, data_dir, last_accessed: "2026-11-25T10:00:00Z" }] }),
  )
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw error
  }
}

/** Adds a session, created so many seconds after the first. */
export function addSession(db: SqliteDatabase, id: string, at: number, fields: Record<string, unknown> = {}): void {
  const { parent = null, title = "New Session", cost = 0, summary = null } = fields
  db.prepare(
    `INSERT INTO sessions (id, parent_session_id, title, cost, updated_at, created_at, summary_message_id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, parent as string, title as string, cost as number, START + at, START + at, summary as string)
}

interface Fields {
  readonly model?: string
  readonly provider?: string
  readonly isSummary?: boolean
  readonly id?: string
}

/** Adds a message, created so many seconds after the first session. */
export function addMessage(
  db: SqliteDatabase,
  session: string,
  at: number,
  role: string,
  parts: readonly object[] | string,
  { model = "", provider, isSummary = false, id = `msg-${at}` }: Fields = {},
): string {
  const text = typeof parts === "string" ? parts : JSON.stringify(parts)
  db.prepare(
    `INSERT INTO messages (id, session_id, role, parts, model, provider, is_summary_message, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, session, role, text, model, provider ?? null, isSummary ? 1 : 0, START + at, START + at)
  return id
}

export const SONNET = { model: "claude-sonnet-5", provider: "anthropic" }
export const text = (said: string) => ({ type: "text", data: { text: said } })
export const finish = (reason: string, rest: object = {}) => ({
  type: "finish",
  data: { reason, time: START, ...rest },
})
export const call = (id: string, name: string, input: object | string) => ({
  type: "tool_call",
  data: {
    id,
    name,
    input: typeof input === "string" ? input : JSON.stringify(input),
    provider_executed: false,
    finished: true,
  },
})
export const result = (id: string, content: string, rest: object = {}) => ({
  type: "tool_result",
  data: { tool_call_id: id, name: "bash", content, data: "", mime_type: "", metadata: "", is_error: false, ...rest },
})
