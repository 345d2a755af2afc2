import type { Diagnostic } from "../../entry/diagnostic.js"
import type { SessionEntry } from "../../entry/entry.js"
import { imageFormAt } from "../../persist/image-spots.js"
import { restoreMessages } from "../../persist/restore-messages.js"
import type { Spot } from "../../persist/spots.js"
import type { BlobStore } from "../../ports/blob-store.js"

/**
 * Restores those long texts of entries that estimates and prompts use (FORMAT.md, section 9), so that a session is
 * summarized as if they stood in its lines. Images stay references: each counts the same, and is only mentioned.
 * @param blobs without a store everything stays as it is
 * @param isNeeded which entries are used; no blob is read for the others. Default: all
 */
export async function withLongTexts(
  entries: readonly SessionEntry[],
  blobs: BlobStore | undefined,
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
