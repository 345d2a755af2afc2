import type { HistoryFile } from "./history-file.js"
import { acceptPrompt, isSecret } from "./ignore-rules.js"
import { importBatch } from "./import-batch.js"
import type { ImportedPrompt, PromptIgnoreRules, PromptImportOptions, PromptImportReport } from "./prompt.js"

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
