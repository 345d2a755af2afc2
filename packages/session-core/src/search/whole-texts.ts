import type { SessionEntry } from "../entry/entry.js"
import { readCutText } from "../persist/long-text.js"
import { type BlobReader, restoreEntry } from "../persist/restore-entry.js"
import { spotsIn } from "../persist/spots.js"
import { entryFacts, type PlacedFacts } from "./entry-facts.js"

/** Where the blobs of a session are; undefined where it has none. @param key of the session */
export type BlobsOf = (key: string) => Promise<BlobReader | undefined>

/** Facts of an entry of which texts were moved to blobs: of what its line has of them. */
export interface CutFacts extends PlacedFacts {
  readonly cut: SessionEntry
}

/** Longer than what stands beside a text that was cut, and shorter than that text. Bytes. */
const SHORTEST = 400_000

/** Marks the facts of an entry that has a text of which only the beginning is in the line. */
export function markedCut(entry: SessionEntry, facts: PlacedFacts): PlacedFacts | CutFacts {
  if (facts.length < SHORTEST) return facts
  for (const { spot, sealed } of spotsIn(entry))
    if (!sealed && typeof spot.value === "string" && isKept(readCutText(spot.value))) return { ...facts, cut: entry }
  return facts
}

function isKept(cut: ReturnType<typeof readCutText>): boolean {
  return cut !== undefined && cut !== "lost"
}

/** The facts with the whole texts of the entry, as far as their blobs can be read. @throws StorageError */
export async function wholeFacts(
  facts: PlacedFacts | CutFacts,
  blobs: () => Promise<BlobReader | undefined>,
): Promise<PlacedFacts> {
  if (!("cut" in facts)) return facts
  const { cut, ...placed } = facts
  const found = await blobs()
  if (found === undefined) return placed
  const isText = ({ value }: { readonly value: unknown }) => typeof value === "string" && isKept(readCutText(value))
  const { value } = await restoreEntry(cut, found, isText)
  return { ...placed, texts: entryFacts(value).texts }
}
