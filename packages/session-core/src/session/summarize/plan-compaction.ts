import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "../../compaction/compaction-settings.js"
import { type CompactionPreparation, preparePath } from "../../compaction/prepare-compaction.js"
import { contextBoundary } from "../../context/boundary.js"
import { type EntryPath, entriesOf } from "../../context/entry-path.js"
import type { Diagnostic } from "../../entry/diagnostic.js"
import { sessionParts } from "../session-parts.js"
import type { CompactionTarget } from "./compaction-target.js"
import { withLongTexts } from "./long-texts.js"

/** What a compaction of a session would do. */
export interface CompactionPlan extends CompactionPreparation {
  /** Long texts that could not be restored, since the rest is missing, damaged or was never kept: they count, and are shown, as cut. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Plans the compaction of a session where it stands, as `compact` does: `prepareCompaction`, with the long texts that it
 * uses restored from the blob store.
 * @param settings what differs from the defaults
 * @returns undefined when there is nothing to summarize
 * @throws StorageError when a blob cannot be read
 */
export async function planCompaction(
  session: CompactionTarget,
  settings: Partial<CompactionSettings> = {},
): Promise<CompactionPlan | undefined> {
  const { state, blobs } = sessionParts(session)
  const path = state.entryPath(session.getLeafId())
  // What the model does not see any more is not read.
  const { compaction, kept, rest } = contextBoundary(path)
  const from = compaction ? kept.from : rest
  const { entries, diagnostics } = await withLongTexts(entriesOf(path, from), blobs)
  const whole: EntryPath = { ...path, entry: (index) => entries[index - from] ?? path.entry(index) }
  const preparation = preparePath(whole, { ...DEFAULT_COMPACTION_SETTINGS, ...settings })
  return preparation && { ...preparation, diagnostics }
}
