import {
  acceptPrompt,
  dropSecretPrompts,
  type ImportedPrompt,
  type PromptIgnoreRules,
  type PromptImportOptions,
  type PromptImportReport,
} from "@treelog/session-core/prompt-history"
import { CACHE } from "@treelog-internal/sqlite"
import type { HistoryFile } from "./history-file.js"
import { importBatch } from "./import-batch.js"
import { TEXT_INDEXES } from "./indexing/deferred-deletes.js"
import { indexAllChanges } from "./indexing/index-changes.js"
import { mergeDeleted, mergePieces } from "./indexing/merge-indexes.js"

/** Prompts per transaction. */
const BATCH = 2000

/**
 * Settings that save a quarter of the time of an import: more cache (in KiB), a larger log (in pages), and indexes that are merged in
 * few large steps. The last one is stored in the file; if an import is killed, the next one resets it.
 */
const FOR_MANY = `PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 16000; ${mergeAt(16)}`
const FOR_FEW = `${CACHE} PRAGMA wal_autocheckpoint = 1000; ${mergeAt(4)}`

/**
 * Stores prompts in the order of the source, and indexes them at the end in the order of their time.
 */
export async function importPrompts(
  file: Pick<HistoryFile, "change">,
  prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
  { rules, onProgress, signal }: PromptImportOptions & { rules: PromptIgnoreRules },
): Promise<PromptImportReport> {
  const report = { read: 0, added: 0, known: 0, ignored: 0, deleted: 0 }
  const tell = (left: number) => onProgress?.({ ...report, left })
  const store = async (batch: readonly ImportedPrompt[]) => {
    const kept = await dropSecretPrompts(normalizePrompts(batch, rules), rules)
    const { added, known, deleted } = await file.change("import", (connection) => importBatch(connection, kept))
    report.read += batch.length
    report.ignored += batch.length - kept.length
    report.added += added
    report.known += known
    report.deleted += deleted
    tell(0)
  }
  try {
    await file.change("import", ({ db }) => db.exec(FOR_MANY))
    for await (const batch of batches(prompts, signal)) await store(batch)
  } finally {
    await file.change("import", (connection) => indexAllChanges(connection, tell))
    await file.change("import", mergeDeleted)
    await file.change("import", mergePieces)
    await file.change("import", ({ db }) => db.exec(FOR_FEW))
  }
  tell(0)
  return report
}

/** @param segments the number of segments at which FTS5 merges them */
function mergeAt(segments: number): string {
  return TEXT_INDEXES.map((index) => `INSERT INTO ${index}(${index}, rank) VALUES ('automerge', ${segments});`).join(
    " ",
  )
}

function normalizePrompts(batch: readonly ImportedPrompt[], rules: PromptIgnoreRules): ImportedPrompt[] {
  return batch.flatMap((prompt) => {
    const text = acceptPrompt(prompt.text, rules)
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
