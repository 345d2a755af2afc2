import { createHash } from "node:crypto"
import type { Connection } from "./database/connection.js"
import type { ImportedPrompt, PromptOrigin, PromptScope, PromptSelection } from "./prompt.js"

// A deletion is recorded as tombstones, so that an import does not restore deleted prompts. A tombstone is a key (a text, a folder, a
// session, a text in one of them, or everything) with a time. An import skips a prompt if one of its keys was deleted after the time
// of the prompt. Tombstones must not reveal deleted prompts: only salted hashes of their keys are stored.

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

/** The tombstone keys to record when a selection, which matched these prompts, is deleted. */
export function tombstonesFor(selection: PromptSelection, prompts: readonly ImportedPrompt[]): Set<string> {
  const scope: PromptScope = ("scope" in selection && selection.scope) || { kind: "all" }
  const isWhole = !("id" in selection || "query" in selection)
  const keys = prompts.map(({ text, cwd }) => {
    const origin = scope.kind === "all" ? {} : scope.kind === "session" ? { sessionId: scope.sessionId } : { cwd }
    return key(isWhole ? undefined : text, origin)
  })
  // A whole scope is excluded even if nothing of it is stored. Of a repository, only the folders of stored prompts are known.
  if (isWhole && scope.kind !== "repository") keys.push(key(undefined, scope as PromptOrigin))
  return new Set(keys)
}

/** All keys of which a tombstone excludes the prompt from an import. */
export function tombstoneKeys({ text, cwd, sessionId }: ImportedPrompt): string[] {
  const origins = [{}, ...(cwd === undefined ? [] : [{ cwd }]), ...(sessionId === undefined ? [] : [{ sessionId }])]
  return origins.flatMap((origin) => [key(undefined, origin), key(text, origin)])
}

function key(text?: string, { cwd, sessionId }: PromptOrigin = {}): string {
  return JSON.stringify([text ?? null, cwd ?? null, sessionId ?? null])
}
