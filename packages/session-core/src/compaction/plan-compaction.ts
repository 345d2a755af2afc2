import { contextBoundary } from "../context/boundary.js"
import { type EntryPath, entriesOf } from "../context/entry-path.js"
import type { Diagnostic } from "../entry/diagnostic.js"
import type { SessionEntry } from "../entry/entry.js"
import { restoreMessages } from "../persist/restore-entry.js"
import { imageFormAt, type Spot } from "../persist/spots.js"
import type { BlobSource } from "../ports/blob-store.js"
import type { Session } from "../session/session.js"
import { sessionParts } from "../session/session-parts.js"
import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "./compaction-settings.js"
import { type CompactionPreparation, preparePath } from "./prepare-compaction.js"

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
  session: Session,
  settings: Partial<CompactionSettings> = {},
): Promise<CompactionPlan | undefined> {
  const { state, ports } = sessionParts(session)
  const path = state.entryPath(session.getLeafId())
  // What the model does not see any more is not read.
  const { compaction, kept, rest } = contextBoundary(path)
  const from = compaction ? kept.from : rest
  const { entries, diagnostics } = await withLongTexts(entriesOf(path, from), ports.blobs)
  const whole: EntryPath = { ...path, entry: (index) => entries[index - from] ?? path.entry(index) }
  const preparation = preparePath(whole, { ...DEFAULT_COMPACTION_SETTINGS, ...settings })
  return preparation && { ...preparation, diagnostics }
}

/**
 * Restores those long texts of entries that estimates and prompts use (FORMAT.md, section 9), so that a session is
 * summarized as if they stood in its lines. Images stay references: each counts the same, and is only mentioned.
 * @param blobs without a store everything stays as it is
 * @param isNeeded which entries are used; no blob is read for the others. Default: all
 */
export async function withLongTexts(
  entries: readonly SessionEntry[],
  blobs: BlobSource | undefined,
  isNeeded: (entry: SessionEntry, index: number) => boolean = () => true,
): Promise<{ entries: readonly SessionEntry[]; diagnostics: readonly Diagnostic[] }> {
  if (!blobs) return { entries, diagnostics: [] }
  const needed = entries.filter(isNeeded)
  const ids = needed.map(({ id }) => id)
  const { messages: restored, diagnostics } = await restoreMessages(needed, blobs, ids, isScanned)
  const found = new Map(needed.map((entry, index) => [entry, restored[index]]))
  return { entries: entries.map((entry) => found.get(entry) ?? entry), diagnostics }
}

/** Fields for programs, which no summarizer is shown. */
const ASIDE: ReadonlySet<unknown> = new Set(["details", "preserveData"])

/** The arguments of a call count to the letter, images in them too. */
function isScanned(spot: Spot): boolean {
  const path: (string | number)[] = []
  for (let at: Spot | undefined = spot; at; at = at.up) path.push(at.key)
  return path.includes("arguments") || (imageFormAt(spot) === undefined && !path.some((key) => ASIDE.has(key)))
}
