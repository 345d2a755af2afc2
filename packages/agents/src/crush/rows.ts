import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { hasTable, isObject, type Json, objectsIn, parsedObject, type SessionRow } from "../kit.js"

/** A message is written again while it comes: in one second, only its size changes. */
const MESSAGES = `
  SELECT session_id AS id, count(*) AS count, sum(length(parts)) AS size, max(updated_at) AS updated, max(rowid) AS last
  FROM messages GROUP BY session_id`

export function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  if (!hasTable(db, "sessions") || !hasTable(db, "messages")) return []
  const messages = new Map(
    db
      .prepare(MESSAGES)
      .all<Json>()
      .map((row) => [row.id, row]),
  )
  return db
    .prepare("SELECT * FROM sessions ORDER BY created_at, id")
    .all<Json>()
    .flatMap((session) => {
      const { count = 0, size = 0, updated = 0, last = 0 } = messages.get(session.id) ?? {}
      const id = session.id as string
      const of = session.parent_session_id
      // Versions that made a session for each title stored no messages in it.
      if (typeof of === "string" && count === 0) return []
      const state = [session.updated_at, updated, count, size, session.title, session.cost, session.summary_message_id]
      const copiedVersion = state.map((one) => String(one ?? "").slice(0, 1000)).join(" ")
      return {
        id,
        version: `${last} ${copiedVersion}`,
        copiedVersion,
        size: Number(size),
        modified: Math.max(millis(session.updated_at), millis(updated)),
        ...(typeof of === "string" && { part: { of, role: id.startsWith("title-") ? "title" : "subagent" } }),
      }
    })
}

/** The session, then its messages in the order in which Crush sends them, each before the parts that this release does not know. */
export function recordsOf(db: SqliteDatabase, id: string): Json[] {
  const session = db.prepare("SELECT * FROM sessions WHERE id = ?").get<Json>(id)
  if (!session) return []
  const messages = db.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid").all<Json>(id)
  const children = db.prepare("SELECT id FROM sessions WHERE parent_session_id = ?").all<{ id: string }>(id)
  const parent = session.parent_session_id
  const head = {
    record: "session",
    ...session,
    children: children.map((child) => child.id),
    isPart: typeof parent === "string" && db.prepare("SELECT 1 FROM sessions WHERE id = ?").get(parent) !== undefined,
    // What was deleted is no boundary.
    isSummarized: messages.some((message) => message.id === session.summary_message_id),
  }
  return [head, ...messages.flatMap(recordsOfMessage)]
}

function recordsOfMessage(message: Json): Json[] {
  const list = parsedObject(`{"parts":${message.parts}}`)?.parts
  if (!Array.isArray(list)) return [{ record: "damaged", ...message }]
  const isKnown = (part: unknown): boolean => isObject(part) && PARTS.has(String(part.type)) && isObject(part.data)
  const unknown = objectsIn(list).filter((part) => !isKnown(part))
  return [
    { record: "message", ...message, parts: list.filter(isKnown) },
    ...unknown.map((part) => ({ record: "part", message: message.id, ...part })),
  ]
}

const PARTS: ReadonlySet<string> = new Set([
  ...["text", "reasoning", "binary", "tool_call", "tool_result", "shell_command", "finish"],
])

/** Crush writes seconds; its first versions meant milliseconds. */
export function millis(time: unknown): number {
  if (typeof time !== "number") return 0
  return time < 1e11 ? time * 1000 : time
}
