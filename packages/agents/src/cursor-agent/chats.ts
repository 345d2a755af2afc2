import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  type FactsBeside,
  hasTable,
  type Json,
  objectIn,
  parsedObject,
  type RecordStore,
  type SessionRow,
  type StoreOptions,
  sessionDatabase,
  textIn,
  withFacts,
} from "../kit.js"

/** A database for each chat of the command or of the SDK: messages by their digests, and a root that lists those that its model gets. */
const DATABASES = ["chats/*/*/store.db", "acp-sessions/*/store.db", "projects/*/sdk-agent-store/*/agents/*/store.db"]

/** The chats of the command in databases, with what `meta.json` beside one says. */
export function chatsOf(options: StoreOptions): RecordStore {
  const databases = sessionDatabase(options, { file: DATABASES, sessions: sessionsIn, records: recordsOf })
  return withFacts(
    options,
    databases,
    async ({ key }, files) =>
      ((await files.of(join(dirname(dirname(key)), "meta.json"), factsIn)) ?? {}) as FactsBeside,
  )
}

function factsIn(bytes: Uint8Array): object {
  const { cwd, title, isSubagent } = parsedObject(new TextDecoder().decode(bytes)) ?? {}
  return { ...(typeof cwd === "string" && { cwd }), facts: { title, isSubagent } }
}

/** A chat in which nothing was said has no root. */
function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  const chat = chatIn(db)
  const [id, root] = [chat && textIn(chat, "agentId"), chat && textIn(chat, "latestRootBlobId")]
  const size =
    chat && db.prepare("SELECT coalesce(sum(length(data)), 0) AS size FROM blobs").get<{ size: number }>()?.size
  if (!chat || !size) return []
  if (id === undefined) {
    const message = "The row of `meta` that says which of these messages the chat has is missing or damaged."
    throw new TreelogError("InvalidSessionError", message, { key: "meta", found: "no chat", isDamaged: true })
  }
  if (root === undefined) return []
  return [{ id, version: `${root} ${chat.name} ${chat.lastUsedModel}`, size, modified: Number(chat.createdAt) }]
}

function recordsOf(db: SqliteDatabase): Json[] {
  const chat = chatIn(db) ?? {}
  const blob = db.prepare("SELECT data FROM blobs WHERE id = ?")
  const text = new TextDecoder()
  const dataOf = (id: string) => blob.get<{ data: Uint8Array }>(id)?.data
  const blobsIn = (data: Uint8Array | undefined, field: number): string[] =>
    fieldsOf(data).flatMap((one) => (one.field === field ? [Buffer.from(one.bytes).toString("hex")] : []))
  const messageOf = (id: string): Json => {
    const data = dataOf(id)
    return (data && parsedObject(text.decode(data))) ?? { role: data ? "damaged" : "missing", id }
  }
  const root = dataOf(String(chat.latestRootBlobId))
  const sent = blobsIn(root, MESSAGE)
  const ids = new Set(sent)
  const listed = sent.map(messageOf)
  const at = listed.findIndex(isSummary)
  const [before, rest] = [listed.slice(0, Math.max(0, at)), listed.slice(Math.max(0, at))]
  // What a summary stands for is in archives.
  const archived = at < 0 ? [] : blobsIn(root, ARCHIVE).flatMap((id) => blobsIn(dataOf(id), MESSAGE))
  const earlier = [...new Set(archived)].filter((id) => !ids.has(id)).map(messageOf)
  const messages = [
    ...[...before, ...earlier.filter((one) => !isSummary(one))],
    ...rest.map((one) => (isSummary(one) ? { ...one, type: SUMMARY, before } : one)),
  ]
  const [folder] = fieldsOf(root).flatMap(({ field, bytes }) => (field === FOLDER ? [text.decode(bytes)] : []))
  // The key of blobs that are encrypted is a secret.
  const { blobEncryptionKey: _, ...head } = chat
  return [{ type: "chat", ...head, folder }, ...messages]
}

/** The type of a summary, which has the messages that are sent before it. */
export const SUMMARY = "summary"

function isSummary(message: Json): boolean {
  return cursorIn(message).isSummary === true
}

/** What Cursor says of a message, or of a block. */
export function cursorIn(message: Json): Json {
  return objectIn(objectIn(message, "providerOptions") ?? {}, "cursor") ?? {}
}

/** What the database says of its chat: JSON in hexadecimal digits. Undefined where it has no tables. */
function chatIn(db: SqliteDatabase): Json | undefined {
  if (!hasTable(db, "meta") || !hasTable(db, "blobs")) return undefined
  const row = db.prepare("SELECT CAST(value AS TEXT) AS value FROM meta WHERE key = '0'").get<{ value: string }>()
  return parsedObject(Buffer.from(row?.value ?? "", "hex").toString()) ?? {}
}

// Fields of a root; an archive has messages in the same.
const MESSAGE = 1
const FOLDER = 9
const ARCHIVE = 13

/** The fields of a message of Protocol Buffers that have bytes; those behind one that is damaged are left out. */
function fieldsOf(data: Uint8Array | undefined): { readonly field: number; readonly bytes: Uint8Array }[] {
  const found: { field: number; bytes: Uint8Array }[] = []
  const bytes = data ?? new Uint8Array()
  let at = 0
  const count = (): number => {
    for (let value = 0, unit = 1; at < bytes.length; unit *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    const tag = count()
    const type = tag % 8
    const length = type === 2 ? count() : type === 1 ? 8 : type === 5 ? 4 : type === 0 ? count() * 0 : Number.NaN
    if (!(at + length <= bytes.length)) break
    if (type === 2) found.push({ field: Math.floor(tag / 8), bytes: bytes.subarray(at, at + length) })
    at += length
  }
  return found
}
