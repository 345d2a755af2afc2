import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { hasTable, isObject, type Json, objectIn, objectsIn, parsedObject, type SessionRow, textIn } from "../kit.js"
import { chatRows, chatsIn } from "./chats.js"

interface Listed {
  readonly id: string
  readonly parent: unknown
  readonly children: string
  readonly modified: unknown
  readonly version: string
  /** How many bubbles there are. */
  readonly count: number
  readonly size: number
}

/**
 * Composers in which something was said, and those that are damaged. `;` follows `:`, so that each range is one prefix of the index. A row that is
 * written again is replaced, with a new rowid: the index alone says which composers changed, and no bubble is read.
 */
const COMPOSERS = `
  WITH composers AS (
    SELECT rowid AS row, substr(key, 14) AS id, CAST(value AS TEXT) AS text, json_valid(CAST(value AS TEXT)) AS valid
    FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL),
  parsed AS (SELECT row, id, text, CASE WHEN valid THEN text ELSE '{"fullConversationHeadersOnly":[null]}' END AS json FROM composers),
  bubbles AS (
    SELECT substr(key, 10, instr(substr(key, 10), ':') - 1) AS id, max(rowid) AS last, count(*) AS count
    FROM cursorDiskKV WHERE key >= 'bubbleId:' AND key < 'bubbleId;' GROUP BY 1)
  SELECT c.id, coalesce(json_extract(json, '$.subagentInfo.parentComposerId'), json_extract(json, '$.parentComposerId')) AS parent,
    json_array(json_extract(json, '$.subagentComposerIds'), json_extract(json, '$.subComposerIds')) AS children,
    coalesce(json_extract(json, '$.lastUpdatedAt'), json_extract(json, '$.createdAt')) AS modified,
    c.row || ' ' || coalesce(b.last, 0) || ' ' || coalesce(b.count, 0) AS version, coalesce(b.count, 0) AS count, length(text) AS size
  FROM parsed c LEFT JOIN bubbles b ON b.id = c.id
  WHERE json_array_length(json, '$.fullConversationHeadersOnly') > 0 OR json_array_length(json, '$.conversation') > 0
    OR coalesce(json_extract(json, '$.conversationMap'), '{}') <> '{}'
  ORDER BY json_extract(json, '$.createdAt'), c.id`

/** Composers, and chats of older versions, in the database of all windows or of one. */
export function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  return [...composersIn(db), ...chatRows(db)]
}

function composersIn(db: SqliteDatabase): readonly SessionRow[] {
  if (!hasTable(db, "cursorDiskKV")) return []
  const rows = db.prepare(COMPOSERS).all<Listed>()
  const parents = new Map<unknown, string>()
  for (const { id, children } of rows)
    for (const child of (JSON.parse(children) as unknown[]).flat()) parents.set(child, id)
  return rows.map(({ id, version, count, size, ...row }) => {
    const of = typeof row.parent === "string" ? row.parent : parents.get(id)
    const modified = typeof row.modified === "number" ? row.modified : 0
    const copiedVersion = `${modified} ${size} ${count}`
    return { id, version, copiedVersion, size, modified, ...(of !== undefined && { part: { of, role: "subagent" } }) }
  })
}

/** The composer, then its bubbles in the order of its list: those that are not in it were taken back, or written anew. */
export function recordsOf(db: SqliteDatabase, id: string): Json[] {
  const stored = parsedObject(stateText(db, `composerData:${id}`) ?? "")
  const composer = stored ?? chatsIn(db).find(({ composerId }) => composerId === id)
  if (!composer || (!stored && composer.conversation === undefined)) return []
  const { conversation, conversationMap, fullConversationHeadersOnly: list, ...fields } = composer
  const headers = objectsIn(list)
  // Some versions had bubbles in the composer, by their ids.
  const byId = isObject(conversationMap) ? conversationMap : {}
  const inside = headers.length === 0 ? [...objectsIn(conversation), ...bubblesIn(byId)] : []
  return [
    { ...fields, record: "composer", head: composerHeader(db, id) },
    ...inside.map((bubble) => ({ ...bubble, record: "bubble" })),
    ...headers.map((header) => bubbleOf(db, id, header, byId)),
  ]
}

function bubblesIn(byId: Json): Json[] {
  return Object.keys(byId).map((bubbleId) => ({ bubbleId, ...objectIn(byId, bubbleId) }))
}

function bubbleOf(db: SqliteDatabase, id: string, header: Json, byId: Json): Json {
  const own = String(header.bubbleId)
  const text = stateText(db, `bubbleId:${id}:${own}`)
  const inside = Object.hasOwn(byId, own) ? objectIn(byId, own) : undefined
  if (text === undefined && !inside) return { record: "missing", ...header }
  const bubble = text === undefined ? inside : parsedObject(text)
  if (!bubble) return { record: "damaged", ...header, value: text }
  // Cursor writes bubbles anew, with the time at which it does.
  const createdAt = header.createdAt ?? bubble.createdAt
  return { ...bubble, record: "bubble", bubbleId: header.bubbleId, ...(createdAt !== undefined && { createdAt }) }
}

/** What Cursor 3 says of a composer in a table of its own. */
function composerHeader(db: SqliteDatabase, id: string): Json | undefined {
  if (!hasTable(db, "composerHeaders")) return undefined
  const row = db.prepare("SELECT value FROM composerHeaders WHERE composerId = ?").get<Json>(id)
  return parsedObject((row && textIn(row, "value")) ?? "")
}

function stateText(db: SqliteDatabase, key: string): string | undefined {
  if (!hasTable(db, "cursorDiskKV")) return undefined
  const row = db.prepare("SELECT CAST(value AS TEXT) AS text FROM cursorDiskKV WHERE key = ?").get<Json>(key)
  return typeof row?.text === "string" ? row.text : undefined
}
