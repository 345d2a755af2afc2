import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { hasTable, type Json, parsedObject, type SessionRow } from "../kit.js"
import { conversationsOf, DOCUMENTS, type Durable, recordsOf, rowsOf } from "./conversations.js"

const LISTED = `
  SELECT conversation_id AS conversation, length(record) AS size,
    CASE WHEN json_valid(record) THEN json_extract(record, '$.model[0].timestamp') END AS time
  FROM entries ORDER BY id`

/** Kinds stand there as JSON. These documents are stored whole each time they change. */
const VALUES = `
  SELECT d.owner_id AS id, d.kind, r.content FROM documents d JOIN document_revisions r ON r.document_id = d.id
  WHERE d.scope_kind = 'conversation' AND r.kind = 'base' ORDER BY r.seq`

/** The conversations in a database; none in one of another program. */
export function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  return hasTable(db, "durable_schema") ? rowsOf(durableIn(db)) : []
}

export function recordsIn(db: SqliteDatabase, id: string): Json[] {
  const entries = db.prepare("SELECT id, record FROM entries WHERE conversation_id = ? ORDER BY id")
  return recordsOf(durableIn(db), id, (conversation) =>
    entries.all<{ id: number; record: string }>(conversation as number).map((row) => {
      const entry = parsedObject(String(row.record))
      return entry ? { ...entry, record: "entry" } : { record: "damaged", id: row.id, text: row.record }
    }),
  )
}

/** @throws UnsupportedVersionError of a version that this release does not know */
function durableIn(db: SqliteDatabase): Durable {
  const version = db.prepare("SELECT version FROM durable_schema").get<{ version: number }>()?.version
  // Forks of pi-durable number theirs from there on.
  if (version !== 1) {
    const message = `Tables of version ${version} of pi-durable's schema; this release reads version 1.`
    throw new TreelogError("UnsupportedVersionError", message, { key: "durable_schema", version })
  }
  const records = db.prepare("SELECT id, record FROM conversations ORDER BY id").all<{ id: number; record: string }>()
  const conversations = records.map(({ id, record }) => ({ ...parsedObject(String(record)), id }))
  const documents = new Map<number, Json>()
  for (const { id, kind, content } of db.prepare(VALUES).all<{ id: number; kind: string; content: string }>()) {
    const name = String(kind).slice(1, -1)
    if (DOCUMENTS.includes(name)) documents.set(id, { ...documents.get(id), [name]: parsedObject(String(content)) })
  }
  return { conversations: conversationsOf(conversations, db.prepare(LISTED).all<Json>()), documents }
}
