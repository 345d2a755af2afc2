import {
  type ImportedPrompt,
  type PromptIgnoreRules,
  type PromptImportOptions,
  type PromptImportReport,
  promptToKeep,
  withoutSecrets,
} from "@treelog/session-core"
import { CACHE } from "./database/open-connection.js"
import type { HistoryFile } from "./history-file.js"
import { importBatch } from "./import-batch.js"
import { indexAllChanges } from "./indexing/index-changes.js"
import { mergePieces } from "./indexing/merge-index.js"

/** Prompts that are stored in one transaction. */
const BATCH = 2000

/** Memory and log that a quarter of the time is saved with. `cache_size` in KiB, `wal_autocheckpoint` in pages. */
const FOR_MANY = "PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 16000;"
const FOR_FEW = `${CACHE} PRAGMA wal_autocheckpoint = 1000;`

/**
 * Stores prompts as they come, and indexes them at the end, in the order of their time, which is not that of their
 * coming.
 */
export async function importPrompts(
  file: HistoryFile,
  prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
  { rules, onProgress, signal }: PromptImportOptions & { rules: PromptIgnoreRules },
): Promise<PromptImportReport> {
  const report = { read: 0, added: 0, known: 0, ignored: 0, deleted: 0 }
  const tell = () => onProgress?.({ ...report })
  const store = async (batch: readonly ImportedPrompt[]) => {
    const kept = await withoutSecrets(keptPrompts(batch, rules), rules)
    const { added, known, deleted } = await file.change("import", (connection) => importBatch(connection, kept))
    report.read += batch.length
    report.ignored += batch.length - kept.length
    report.added += added
    report.known += known
    report.deleted += deleted
    tell()
  }
  try {
    await file.change("import", ({ db }) => db.exec(FOR_MANY))
    for await (const batch of batches(prompts, signal)) await store(batch)
  } finally {
    await file.change("import", (connection) => indexAllChanges(connection, tell))
    await file.change("import", mergePieces)
    await file.change("import", ({ db }) => db.exec(FOR_FEW))
  }
  tell()
  return report
}

function keptPrompts(batch: readonly ImportedPrompt[], rules: PromptIgnoreRules): ImportedPrompt[] {
  return batch.flatMap((prompt) => {
    const text = promptToKeep(prompt.text, rules)
    return text === undefined ? [] : [{ ...prompt, text }]
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
