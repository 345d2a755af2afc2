import { createHash } from "node:crypto"
import { type ImportedPrompt, tombstoneKeys } from "@treelog/session-core/prompt-history"
import type { Connection } from "./database/connection.js"

// Tombstones must not reveal deleted prompts: only salted hashes of their keys are stored.

/** Stores tombstones with these keys. @param at the time of the deletion, in milliseconds since 1970 */
export function rememberDeleted(connection: Connection, keys: Iterable<string>, at: number): void {
  const insert = connection.sql(`
    INSERT INTO treelog_deleted(key, at) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET at = max(at, excluded.at)`)
  const salt = readSalt(connection)
  for (const key of keys) insert.run(hash(salt, key), at)
}

/** Returns a function that checks whether a prompt was deleted after its time. */
export function deletedPrompts(connection: Connection): (prompt: ImportedPrompt) => boolean {
  const isAny = connection.sql("SELECT 1 FROM treelog_deleted LIMIT 1").get() !== undefined
  if (!isAny) return () => false
  const salt = readSalt(connection)
  const find = connection.sql("SELECT 1 FROM treelog_deleted WHERE key = ? AND at >= ?")
  return (prompt) => tombstoneKeys(prompt).some((key) => find.get(hash(salt, key), prompt.createdAt) !== undefined)
}

function readSalt(connection: Connection): Uint8Array {
  const row = connection.sql("SELECT salt FROM treelog_salt").get<{ salt: Uint8Array }>()
  return row?.salt ?? new Uint8Array()
}

function hash(salt: Uint8Array, key: string): Uint8Array {
  return createHash("sha256").update(salt).update(key).digest().subarray(0, 16)
}
