import type { Diagnostic } from "../entry/diagnostic.js"
import { type BlobReader, restoreEntry } from "./restore-entry.js"
import type { Spot } from "./spots.js"

/** How many messages are restored at a time; each reads one blob at a time. */
const AT_ONCE = 8

/**
 * Restores the blobs of the messages of a context, a bounded number at a time. Messages without references are the same objects.
 * @param entryIds the id of the entry of each message, for diagnostics
 * @param isWanted which spots to restore; default: all
 */
export async function restoreMessages<Message extends object>(
  messages: readonly Message[],
  blobs: BlobReader,
  entryIds: readonly string[] = [],
  isWanted?: (spot: Spot) => boolean,
): Promise<{ messages: Message[]; diagnostics: Diagnostic[] }> {
  const restored = [...messages]
  const diagnostics = messages.map((): readonly Diagnostic[] => [])
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < messages.length; index = next++) {
      const message = messages[index]
      if (!message) continue
      const result = await restoreEntry(message, blobs, isWanted)
      restored[index] = result.value
      const entryId = entryIds[index]
      diagnostics[index] = result.diagnostics.map((found) => (entryId === undefined ? found : { ...found, entryId }))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    // After an error, no other message is started.
    next = messages.length
  }
  return { messages: restored, diagnostics: diagnostics.flat() }
}
