import { type ImportedPrompt, promptSecond } from "@treelog/session-core"
import type { Connection } from "./database/connection.js"
import { deletedPrompts } from "./deleted-keys.js"
import { insertPrompts } from "./insert-prompts.js"

/** Stores those of the prompts that are neither stored nor deleted, in one transaction. */
export function importBatch(
  connection: Connection,
  prompts: readonly ImportedPrompt[],
): { added: number; known: number; deleted: number } {
  return connection.transaction(() => {
    const isDeleted = deletedPrompts(connection)
    const isStored = storedPrompts(connection)
    const added: ImportedPrompt[] = []
    const report = { added: 0, known: 0, deleted: 0 }
    for (const prompt of prompts) {
      if (isStored(prompt)) report.known++
      else if (isDeleted(prompt)) report.deleted++
      else added.push(prompt)
    }
    insertPrompts(connection, added)
    return { ...report, added: added.length }
  })
}

/** Says of a prompt whether it is stored, or came before in this batch. */
function storedPrompts(connection: Connection): (prompt: ImportedPrompt) => boolean {
  const batch = new Set<string>()
  const { unique } = connection.shape
  // Where a prompt has one row, that row tells of its newest use alone.
  const newer = connection.sql("SELECT 1 FROM history WHERE prompt = ? AND created_at >= ?")
  const same = connection.sql("SELECT 1 FROM history WHERE session_id IS ? AND created_at = ? AND prompt = ?")
  return ({ text, createdAt, sessionId = null }) => {
    const second = promptSecond(createdAt)
    const identity = JSON.stringify([text, second, sessionId])
    if (batch.has(identity)) return true
    batch.add(identity)
    return (unique ? newer.get(text, second) : same.get(sessionId, second, text)) !== undefined
  }
}
