import type { Connection } from "./database/connection.js"
import { deletedPrompts } from "./deleted-keys.js"
import type { HistoryFile } from "./history-file.js"
import { acceptPrompt, isSecret } from "./ignore-rules.js"
import { insertPrompts } from "./insert-prompts.js"
import type { ImportedPrompt, PromptIgnoreRules, PromptImportOptions, PromptImportReport } from "./prompt.js"
import { secondsOf } from "./search/row.js"

/** Prompts per transaction. */
const BATCH = 2000

/** Stores prompts, in the order of the source. */
export async function importPrompts(
  file: Pick<HistoryFile, "change">,
  prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
  { rules, onProgress, signal }: PromptImportOptions & { rules: PromptIgnoreRules },
): Promise<PromptImportReport> {
  const report = { read: 0, added: 0, known: 0, ignored: 0, deleted: 0 }
  const store = async (batch: readonly ImportedPrompt[]) => {
    const kept = normalizePrompts(batch, rules)
    const { added, known, deleted } = await file.change("import", (connection) => importBatch(connection, kept))
    report.read += batch.length
    report.ignored += batch.length - kept.length
    report.added += added
    report.known += known
    report.deleted += deleted
    onProgress?.({ ...report })
  }
  // Fails where nothing can be stored, also for an import of nothing.
  await file.change("import", () => {})
  for await (const batch of batches(prompts, signal)) await store(batch)
  return report
}

function normalizePrompts(batch: readonly ImportedPrompt[], rules: PromptIgnoreRules): ImportedPrompt[] {
  return batch.flatMap((prompt) => {
    const text = acceptPrompt(prompt.text, rules)
    return text === undefined || isSecret(text, rules) ? [] : [{ ...prompt, text }]
  })
}

async function* batches(
  prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportedPrompt[]> {
  let batch: ImportedPrompt[] = []
  for await (const prompt of prompts) {
    signal?.throwIfAborted()
    batch.push(prompt)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Stores the prompts that are neither stored nor deleted, in one transaction. */
function importBatch(
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
