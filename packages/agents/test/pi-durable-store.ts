import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"

// Stores of pi-durable in both layouts, written by the same calls.

/** The tables of schema version 1 that are read. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS durable_schema (singleton INTEGER PRIMARY KEY CHECK (singleton = 1), version INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO durable_schema VALUES (1, 1);
  CREATE TABLE IF NOT EXISTS conversations (id INTEGER PRIMARY KEY, owner_conversation_id INTEGER, owner_task_id INTEGER, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL, head INTEGER, commit_seq INTEGER NOT NULL,
    record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, family INTEGER NOT NULL, key_value TEXT NOT NULL,
    scope_kind TEXT NOT NULL, owner_id INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS document_revisions (document_id INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,
    version INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (document_id, seq)) STRICT;`

export interface Entry {
  readonly id: number
  readonly conversationId: number
  readonly kind: string
  readonly model?: readonly object[]
  readonly head?: number
  readonly [field: string]: unknown
}

/** What tests write, in either layout. */
export interface Writer {
  conversation(record: { readonly id: number; readonly [field: string]: unknown }): void
  entry(entry: Entry): void
  /** The present value of a document of a conversation. */
  document(conversation: number, kind: string, value: object): void
}

let seq = 1

export async function withDatabase(path: string, write: (to: Writer, db: SqliteDatabase) => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const db = (await loadDriver()).open(path)
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(TABLES)
    const documentId = (conversation: number, kind: string): number => conversation * 1000 + kind.length
    const writer: Writer = {
      conversation: ({ id, ...record }) =>
        void db
          .prepare("INSERT INTO conversations VALUES (?, NULL, NULL, ?)")
          .run(id, JSON.stringify({ id, ...record })),
      entry: (entry) =>
        void db
          .prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?)")
          .run(entry.id, entry.conversationId, entry.head ?? null, seq++, JSON.stringify(entry)),
      document(conversation, kind, value) {
        const id = documentId(conversation, kind)
        db.prepare("INSERT OR IGNORE INTO documents VALUES (?, ?, 0, '\"\"', 'conversation', ?, 1, NULL, '{}')").run(
          ...[id, JSON.stringify(kind), conversation],
        )
        db.prepare("INSERT INTO document_revisions VALUES (?, ?, 'base', 1, ?)").run(id, seq++, JSON.stringify(value))
      },
    }
    write(writer, db)
  } finally {
    db.close()
  }
}

/** Each write is a commit. */
export function inFolderOfJsonl(folder: string, write: (to: Writer) => void): void {
  mkdirSync(folder, { recursive: true })
  const main = join(folder, "main.jsonl")
  const commit = (...writes: object[]): void =>
    appendFileSync(main, `${JSON.stringify({ format: 1, type: "commit", seq: seq++, writes })}\n`)
  write({
    conversation: (value) => commit({ type: "conversation", value }),
    entry: (value) => commit({ type: "entry", value }),
    document(conversation, kind, value) {
      const id = conversation * 1000 + kind.length
      const file = join(folder, `doc-${id}.jsonl`)
      const isThere = existsSync(file) && readFileSync(file, "utf8") !== ""
      const payload = { type: "document", id, content: { kind: "base", version: 1, value } }
      appendFileSync(file, `${JSON.stringify({ format: 1, type: "record", seq, ordinal: 0, payload })}\n`)
      const record = { id, kind, scope: { kind: "conversation", conversationId: conversation } }
      commit(isThere ? { type: "document.change", id, ordinal: 0 } : { type: "document.create", record, ordinal: 0 })
    },
  })
}

export const START = Date.parse("2026-11-25T10:00:00.000Z")
const USED = { input: 10, output: 5, cacheRead: 100, cacheWrite: 1, totalTokens: 116 }
export const USAGE = { ...USED, cost: { input: 0.1, output: 0.1, cacheRead: 0.05, cacheWrite: 0, total: 0.25 } }
export const text = (said: string) => ({ type: "text", text: said })
export const user = (said: string, at = 0) => ({ role: "user", content: [text(said)], timestamp: START + at * 1000 })
export const reply = (content: readonly object[] | string, fields: object = {}) => ({
  ...{ role: "assistant", api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-5", usage: USAGE },
  content: typeof content === "string" ? [text(content)] : content,
  stopReason: "stop",
  timestamp: START,
  ...fields,
})
export const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: { command: "ls" } })
export const result = (id: string, said: string) => ({
  ...{ role: "toolResult", toolCallId: id, toolName: "bash", content: [text(said)], isError: false, timestamp: START },
})
export const system = (sections: object) => ({ role: "system", content: "", sections, timestamp: START })
