import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { type Json, type SessionRow, type StoreOptions, sessionDatabase } from "../kit.js"

interface Listed {
  readonly id: string
  readonly parent: string | null
  readonly updated: number
  readonly count: number
  readonly parts: number | null
  readonly size: number | null
}

/** Each session with what changes when one of its messages or parts does. Messages are deleted when a revert is gone on from. */
const SESSIONS = `
  SELECT s.id, s.parent_id AS parent, max(s.time_updated, coalesce(m.updated, 0), coalesce(p.updated, 0)) AS updated,
    coalesce(m.count, 0) AS count, p.count AS parts, p.size
  FROM session s
  LEFT JOIN (SELECT session_id, max(time_updated) AS updated, count(*) AS count FROM message GROUP BY session_id) m ON m.session_id = s.id
  LEFT JOIN (SELECT session_id, max(time_updated) AS updated, count(*) AS count, sum(length(data)) AS size
    FROM part GROUP BY session_id) p ON p.session_id = s.id
  ORDER BY s.time_created, s.id`

/** The sessions in the tables that opencode 1 writes. */
export function opencodeSessions(options: StoreOptions) {
  return sessionDatabase(options, { file: "opencode.db", sessions: sessionsIn, records: recordsOf })
}

function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  const rows = db.prepare(SESSIONS).all<Listed>()
  const parents = new Map(rows.map((row) => [row.id, row.parent]))
  return rows.map(({ id, updated, count, parts, size }) => {
    const of = rootOf(id, parents)
    return {
      id,
      version: `${updated} ${count} ${parts}`,
      size: size ?? 0,
      modified: updated,
      ...(of !== id && { part: { of, role: "subagent" } }),
    }
  })
}

/** The session that nobody started which a sub-agent works for; the session itself where that is gone, or in a circle. */
function rootOf(id: string, parents: ReadonlyMap<string, string | null>): string {
  const seen = new Set<string>()
  let root = id
  for (let parent = parents.get(root); parent && parents.has(parent); parent = parents.get(root)) {
    if (seen.has(parent)) return id
    seen.add(parent)
    root = parent
  }
  return root
}

/** A record of the session, then each message and its parts, in the order in which opencode sends them. */
function recordsOf(db: SqliteDatabase, id: string): Json[] {
  const session = db.prepare("SELECT * FROM session WHERE id = ?").get<Json>(id)
  if (!session) return []
  const messages = db.prepare("SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id").all<Row>(id)
  const parts = new Map<string, Row[]>()
  for (const part of db.prepare("SELECT * FROM part WHERE session_id = ? ORDER BY id").all<PartRow>(id)) {
    const others = parts.get(part.message_id)
    if (others) others.push(part)
    else parts.set(part.message_id, [part])
  }
  const origin = originOf(db, id, messages[0])
  return [
    { table: "session", ...session, ...(origin !== undefined && { origin }) },
    ...messages.flatMap((message) => [
      { table: "message", ...message },
      ...(parts.get(message.id) ?? []).map((part) => ({ table: "part", ...part })),
    ]),
  ]
}

interface Row extends Json {
  readonly id: string
  readonly time_created: number
}

interface PartRow extends Row {
  readonly message_id: string
}

/** The session that a fork was copied from: opencode does not write it, but a copy of a message keeps its time. */
function originOf(db: SqliteDatabase, id: string, first: Row | undefined): string | undefined {
  if (!first) return undefined
  const query = `SELECT s.id FROM message m JOIN session s ON s.id = m.session_id
    WHERE m.time_created = ? AND m.session_id <> ? AND s.time_created < (SELECT time_created FROM session WHERE id = ?)
    ORDER BY s.time_created, s.id LIMIT 1`
  return db.prepare(query).get<{ id: string }>(first.time_created, id, id)?.id
}
