import { hasTable, type Json, parsedObject, type SessionRow } from "../kit.js"

type Database = Parameters<Parameters<typeof import("../kit.js").sessionDatabase>[1]["sessions"]>[0]

/** What a session is to the one that it names as its parent. Only a sub-agent is a part of it. */
export function kindOf(
  session: Json,
  parent: Json | undefined,
): "branch" | "reset" | "continued" | "subagent" | undefined {
  if (!session.parent_session_id) return undefined
  const config = parsedObject(String(session.model_config)) ?? {}
  const own = (marker: string): boolean => config[marker] !== undefined && config[marker] !== null
  const ended = String(parent?.end_reason)
  if (own("_branched_from") || (ended === "branched" && Number(session.started_at) >= Number(parent?.ended_at)))
    return "branch"
  if (ended === "compression" && config._delegate_from !== session.parent_session_id) return "continued"
  const isSameChat = Boolean(session.session_key) && session.session_key === parent?.session_key
  if (own("_reset_from") || (RESETS.has(ended) && isSameChat)) return "reset"
  return "subagent"
}

/** Why a session ended that another one of the same chat follows. */
const RESETS = new Set(["session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired"])

/** Columns of `messages` that versions before have not. */
const CHANGING = ["active", "compacted", "_compressed_summary"]

export function sessionsIn(db: Database): readonly SessionRow[] {
  const columns = new Set(
    db
      .prepare("SELECT name FROM pragma_table_info('messages')")
      .all<{ name: string }>()
      .map(({ name }) => name),
  )
  const sums = CHANGING.filter((name) => columns.has(name)).map((name) => `sum(${name}) AS ${name}`)
  const counted = db
    .prepare(
      `SELECT session_id AS id, ${["count(*) AS count", "max(id) AS last", "max(timestamp) AS time", "sum(length(content)) AS size", ...sums].join(", ")}
       FROM messages GROUP BY session_id`,
    )
    .all<Json>()
  const messages = new Map(counted.map((row) => [row.id, row]))
  const sessions = db.prepare("SELECT * FROM sessions ORDER BY started_at, id").all<Json>()
  const byId = new Map(sessions.map((row) => [row.id, row]))
  return sessions.map((row): SessionRow => {
    const { id: _, ...own } = messages.get(row.id) ?? {}
    const times = [row.started_at, row.ended_at, own.time].filter((time) => typeof time === "number")
    const { last_read_at, last_activity_description, system_prompt, ...facts } = row
    const isPart = kindOf(row, byId.get(row.parent_session_id)) === "subagent" && byId.has(row.parent_session_id)
    return {
      id: row.id as string,
      version: JSON.stringify([facts, own]),
      size: Number(own.size ?? 0),
      modified: Math.max(0, ...times) * 1000,
      ...(isPart && { part: { of: String(row.parent_session_id), role: "subagent" } }),
    }
  })
}

/** The ids of the calls that the results behind a message answer. */
function answersBehind(messages: readonly Json[], at: number): readonly unknown[] {
  const answers: unknown[] = []
  for (let next = at + 1; messages[next]?.role === "tool"; next++) answers.push(messages[next]?.tool_call_id)
  return answers
}

/** SQLite in versions of Node ends texts at a NUL, with which content begins that is no text. */
function withWholeContent({ bytes, ...row }: Json): Json {
  return bytes instanceof Uint8Array ? { ...row, content: new TextDecoder().decode(bytes) } : row
}

/** The session, what it used by model, and its messages in the order in which they were stored. */
export function recordsIn(db: Database, id: string): readonly Json[] {
  const session = db.prepare("SELECT * FROM sessions WHERE id = ?").get<Json>(id)
  if (!session) return []
  const parent = db.prepare("SELECT * FROM sessions WHERE id = ?").get<Json>(String(session.parent_session_id))
  const usage = hasTable(db, "session_model_usage")
    ? db.prepare("SELECT * FROM session_model_usage WHERE session_id = ? ORDER BY first_seen").all<Json>(id)
    : []
  const messages = db
    .prepare("SELECT *, CAST(content AS BLOB) AS bytes FROM messages WHERE session_id = ? ORDER BY id")
    .all<Json>(id)
    .map(withWholeContent)
  return [
    { record: "session", ...session, relation: kindOf(session, parent) },
    ...messages.map((row, at) => ({
      ...{ record: `message:${row.role}`, ...row },
      ...(row.role === "assistant" && { answers: answersBehind(messages, at) }),
    })),
    ...usage.map((row) => ({ record: "usage", ...row })),
  ]
}
