import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { hasTable, type Json, parsedObject, type SessionRow, type StoreOptions, sessionDatabase } from "../kit.js"
import { isSummary } from "./blocks.js"

interface Listed {
  readonly id: string
  readonly parent: string | null
  readonly updated: number
  readonly version: string
  readonly size: number | null
  readonly created: number
  /** When its first message was made: before the session itself in a fork. */
  readonly first: number | null
}

/** Each session with what changes when one of its messages or parts does. Messages are deleted when a revert is gone on from. */
const FIRST = `
  SELECT s.id, s.parent_id AS parent, max(coalesce(s.time_updated, 0), coalesce(m.updated, 0), coalesce(p.updated, 0)) AS updated,
    coalesce(s.time_updated, 0) || ' ' || coalesce(m.updated, 0) || ' ' || coalesce(p.updated, 0) || ' ' || coalesce(m.count, 0) || ' ' ||
    coalesce(p.count, 0) AS version, p.size, s.time_created AS created, m.first
  FROM session s
  LEFT JOIN (SELECT session_id, max(time_updated) AS updated, count(*) AS count, min(time_created) AS first FROM message GROUP BY session_id) m ON m.session_id = s.id
  LEFT JOIN (SELECT session_id, max(time_updated) AS updated, count(*) AS count, sum(length(data)) AS size
    FROM part GROUP BY session_id) p ON p.session_id = s.id
  WHERE ? IS NULL OR coalesce(s.time_updated, 0) > ?
  ORDER BY s.time_created, s.id`

/** In the tables of opencode 2, rows are rewritten while a reply comes. Its previews have no table of sessions of their own. */
const SECOND = `
  SELECT s.id, s.parent_id AS parent, max(coalesce(s.time_updated, 0), coalesce(m.updated, 0)) AS updated,
    '2 ' || coalesce(s.time_updated, 0) || ' ' || coalesce(m.updated, 0) || ' ' || coalesce(m.count, 0) || ' ' || coalesce(m.size, 0) AS version, m.size,
    s.time_created AS created, m.first
  FROM session_v2 s
  LEFT JOIN (SELECT session_id, max(time_updated) AS updated, count(*) AS count, sum(length(data)) AS size, min(time_created) AS first
    FROM session_message GROUP BY session_id) m ON m.session_id = s.id
  ORDER BY s.time_created, s.id`

/** The sessions in a database of opencode. opencode 2 copies those of 1 into tables of its own, and leaves the former ones as they were. */
export function opencodeSessions(options: StoreOptions) {
  return sessionDatabase(options, { file: options.sessions, sessions: sessionsIn, records: recordsOf, recordsOfEnd })
}

const PREVIEW = SECOND.replace("session_v2 s\n  LEFT JOIN", "session s\n  JOIN")
/** Where a preview went on with the database of opencode 1. */
const BESIDE_FIRST = PREVIEW.replace("ORDER BY", "WHERE s.id NOT IN (SELECT session_id FROM message)\n  ORDER BY")

function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  const query = hasTable(db, "session_v2") ? SECOND : hasTable(db, "message") ? BESIDE_FIRST : PREVIEW
  const second = hasTable(db, "session_message") ? db.prepare(query).all<Listed>() : []
  const ids = new Set(second.map(({ id }) => id))
  const until = copiedUntil(db)
  const first = hasFirst(db) ? db.prepare(FIRST).all<Listed>(until, until) : []
  const rows = [...first.filter(({ id }) => !ids.has(id)), ...second]
  return rows.map(({ id, updated, version, size, parent, created, first }) => {
    const part = parent !== null && { part: { of: parent, role: "subagent" } }
    // What a fork copied counts in it once its origin was deleted.
    const copies = first !== null && first < created ? copiesIn(db, id, ids.has(id)) : []
    const origin = copies[0] ? ` ${copies[0].origin} ${copies.length}` : ""
    return { id, version: version + origin, size: size ?? 0, modified: updated, ...part }
  })
}

function secondTable(db: SqliteDatabase): string {
  return hasTable(db, "session_v2") ? "session_v2" : "session"
}

function hasFirst(db: SqliteDatabase): boolean {
  return hasTable(db, "session") && hasTable(db, "message") && hasTable(db, "part")
}

/**
 * When opencode 2 had copied all sessions, and never does again: what stands only in the former tables since before was deleted, what changed there later
 * is of an opencode 1 that ran once more. Null as long as it has not. Milliseconds since 1970.
 */
function copiedUntil(db: SqliteDatabase): number | null {
  const state = hasTable(db, "session_v2") && hasTable(db, "kv") && db.prepare(COPIED).get<Json>()
  if (!state || parsedObject(String(state.value))?.phase !== "completed") return null
  return typeof state.time_updated === "number" ? state.time_updated : Number.MAX_SAFE_INTEGER
}

const COPIED = "SELECT * FROM kv WHERE key = 'migration.v1-v2'"

/** What opencode 2 did not copy of a session of 1, such as the summaries as replies, whose usage is nowhere else. */
function leftOut(db: SqliteDatabase, id: string): Json[] {
  if (!hasFirst(db)) return []
  const until = copiedUntil(db)
  const rows = db.prepare(LEFT_OUT).all<Row>(id, id, until ?? Number.MAX_SAFE_INTEGER)
  return rows.map((row) => ({ table: "left_out", ...row }))
}

const LEFT_OUT = `
  SELECT * FROM message WHERE session_id = ? AND id NOT IN (SELECT id FROM session_message WHERE session_id = ?) AND time_created <= ?
  ORDER BY time_created, id`

const FIRST_SESSION = "SELECT * FROM session WHERE id = ? AND (? IS NULL OR coalesce(time_updated, 0) > ?)"

/** A record of the session, then each message and its parts, in the order in which opencode sends them. */
function recordsOf(db: SqliteDatabase, id: string): Json[] {
  const table = hasTable(db, "message") ? "session_v2" : secondTable(db)
  const second = hasTable(db, table) && db.prepare(`SELECT * FROM ${table} WHERE id = ?`).get<Json>(id)
  if (second) {
    const former = leftOut(db, id)
    const copies = [...copiesIn(db, id, true), ...(former.length > 0 ? copiesIn(db, id, false) : [])]
    return [{ table: "session", ...worktreeOf(db, second), ...second, copies }, ...former, ...secondMessages(db, id)]
  }
  const session = firstSession(db, id)
  if (!session) return []
  const rows = messagesOf(db, id)
  const head = { table: "session", ...worktreeOf(db, session), ...session }
  return rows.length === 0 ? [head, ...secondMessages(db, id)] : [{ ...head, copies: copiesIn(db, id, false) }, ...rows]
}

function firstSession(db: SqliteDatabase, id: string): Json | undefined {
  const until = copiedUntil(db)
  return hasFirst(db) ? db.prepare(FIRST_SESSION).get<Json>(id, until, until) : undefined
}

/** The messages of a session, or those from one on, each before its parts. */
function messagesOf(db: SqliteDatabase, id: string, first?: Pick<Row, "id" | "time_created">): Json[] {
  const since = first ? [first.time_created, first.id] : []
  const where = `session_id = ?${first ? " AND (time_created, id) >= (?, ?)" : ""}`
  const messages = db.prepare(`SELECT * FROM message WHERE ${where} ORDER BY time_created, id`).all<Row>(id, ...since)
  const isOne = first ? `AND message_id IN (SELECT id FROM message WHERE ${where})` : ""
  const query = `SELECT * FROM part WHERE session_id = ? ${isOne} ORDER BY id`
  const parts = new Map<string, Row[]>()
  for (const part of db.prepare(query).all<PartRow>(id, ...(first ? [id, ...since] : []))) {
    const others = parts.get(part.message_id)
    if (others) others.push(part)
    else parts.set(part.message_id, [part])
  }
  return messages.flatMap((message) => [
    { table: "message", ...message },
    ...(parts.get(message.id) ?? []).map((part) => ({ table: "part", ...part })),
  ])
}

/** From the last summary on, with its question and the messages that it kept, unless something was taken back. */
function recordsOfEnd(db: SqliteDatabase, id: string): Json[] | undefined {
  const second = secondTable(db)
  const isSecond = hasTable(db, second) && (second === "session_v2" || !hasTable(db, "message"))
  if (isSecond && db.prepare(`SELECT 1 FROM ${second} WHERE id = ?`).get(id)) return undefined
  const session = firstSession(db, id)
  if (!session || typeof session.revert === "string") return undefined
  const [summary] = db
    .prepare(SUMMARIES)
    .all<Row>(id)
    .map(({ data }) => parsedObject(String(data)) ?? {})
    .filter(isSummary)
  const message = (messageId: unknown) => db.prepare(MESSAGE).get<Row>(id, messageId as string)
  const question = typeof summary?.parentID === "string" ? message(summary.parentID) : undefined
  if (!question) return undefined
  const parts = db.prepare("SELECT data FROM part WHERE message_id = ?").all<Row>(question.id)
  const asked = parts.map(({ data }) => parsedObject(String(data)) ?? {}).find(({ type }) => type === "compaction")
  const kept = typeof asked?.tail_start_id === "string" ? message(asked.tail_start_id) : undefined
  const first = kept && kept.time_created <= question.time_created ? kept : question
  return [
    { table: "session", ...worktreeOf(db, session), ...session, copies: copiesIn(db, id, false) },
    ...messagesOf(db, id, first),
  ]
}

const SUMMARIES = `SELECT data FROM message WHERE session_id = ? AND data LIKE '%"summary":true%' ORDER BY time_created DESC, id DESC`
const MESSAGE = "SELECT id, time_created FROM message WHERE session_id = ? AND id = ?"

/** The main folder of the session's repository; `/` of none. */
function worktreeOf(db: SqliteDatabase, { project_id: project }: Json): Json {
  if (typeof project !== "string" || !hasTable(db, "project")) return {}
  const row = db.prepare("SELECT * FROM project WHERE id = ?").get<Json>(project)
  return { worktree: row?.worktree }
}

function secondMessages(db: SqliteDatabase, id: string): Json[] {
  if (!hasTable(db, "session_message")) return []
  const rows = db.prepare("SELECT * FROM session_message WHERE session_id = ? ORDER BY seq").all<Row>(id)
  return rows.map((row) => ({ table: "session_message", ...row }))
}

interface Row extends Json {
  readonly id: string
  readonly time_created: number
}

interface PartRow extends Row {
  readonly message_id: string
}

interface Copy extends Json {
  /** The session that has the message since it was made, or the oldest copy that is left of that. */
  readonly origin: string
  readonly time: number
}

/**
 * The messages that a fork copied and that are somewhere else, too, the first one first: opencode 1 does not write what a session is a fork of, and 2
 * writes it of sessions that were deleted, too. A copy of a message keeps its time, which is before that of the fork.
 */
function copiesIn(db: SqliteDatabase, id: string, isSecond: boolean): Copy[] {
  const [sessions, messages] = isSecond ? [secondTable(db), "session_message"] : ["session", "message"]
  const query = `SELECT s.id AS origin, own.time_created AS time, min(s.time_created)
    FROM ${sessions} fork JOIN ${messages} own ON own.session_id = fork.id AND own.time_created < fork.time_created
    JOIN ${messages} m ON m.time_created = own.time_created AND m.session_id <> fork.id
    JOIN ${sessions} s ON s.id = m.session_id AND (s.time_created, s.id) < (fork.time_created, fork.id)
    WHERE fork.id = ? GROUP BY own.id ORDER BY time, own.id`
  return db.prepare(query).all<Copy>(id)
}
