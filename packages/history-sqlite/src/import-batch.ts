import type { Connection } from "./database/connection.js"
import { deletedPrompts } from "./deleted-keys.js"
import { insertPrompts } from "./insert-prompts.js"
import type { ImportedPrompt } from "./prompt.js"
import { secondsOf } from "./search/row.js"

/** Stores the prompts that are neither stored nor deleted, in one transaction. */
export function importBatch(
  connection: Connection,
  prompts: readonly ImportedPrompt[],
): { added: number; known: number; deleted: number } {
  return connection.transaction(() => {
    const isDeleted = deletedPrompts(connection)
    const isStored = storedPrompts(connection)
    const added = new Map<string, ImportedPrompt>()
    const report = { added: 0, known: 0, deleted: 0 }
    for (const prompt of prompts) {
      const identity = identityOf(prompt)
      if (added.has(identity) || isStored(prompt)) report.known++
      else if (isDeleted(prompt)) report.deleted++
      else added.set(identity, prompt)
    }
    insertPrompts(connection, [...added.values()])
    return { ...report, added: added.size }
  })
}

function storedPrompts(connection: Connection): (prompt: ImportedPrompt) => boolean {
  const same = connection.sql("SELECT 1 FROM history WHERE session_id IS ? AND created_at = ? AND prompt = ?")
  // If each prompt has only one row, it has only the time of the newest use.
  const newer = connection.sql("SELECT 1 FROM history WHERE prompt = ? AND created_at >= ?")
  return ({ text, createdAt, sessionId }) => {
    const second = secondsOf(createdAt)
    const row = connection.shape.unique ? newer.get(text, second) : same.get(sessionId ?? null, second, text)
    return row !== undefined
  }
}

function identityOf({ text, createdAt, sessionId }: ImportedPrompt): string {
  return JSON.stringify([text, secondsOf(createdAt), sessionId ?? null])
}
