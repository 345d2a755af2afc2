import type { Diagnostic } from "../../entry/diagnostic.js"
import { isTreelogError } from "../../errors.js"
import { blobUse } from "../../persist/restore-entry.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { SessionState } from "../session-state.js"
import { faultAt } from "./fault-at.js"

/** Blobs that entries name and that are missing or damaged, and texts that were cut for good. Each blob is read once. */
export async function blobFaults(state: SessionState, blobs: BlobStore | undefined): Promise<Diagnostic[]> {
  const faults: Diagnostic[] = []
  const known = new Map<string, Diagnostic["kind"] | undefined>()
  for (const [ordinal, entry] of state.iterateEntries()) {
    const { hashes, hasLostText } = blobUse(entry)
    if (hasLostText) {
      const message = `Entry ${entry.id} holds a text that was cut by the program that wrote it; the rest was kept nowhere.`
      faults.push(faultAt(state, ordinal, "cut-text", message))
    }
    for (const hash of blobs ? hashes : []) {
      if (blobs && !known.has(hash)) known.set(hash, await blobFault(blobs, hash))
      const kind = known.get(hash)
      if (!kind) continue
      const what = kind === "missing-blob" ? "is not in the blob store" : "is damaged in the blob store"
      faults.push(faultAt(state, ordinal, kind, `Entry ${entry.id} names blob ${hash}, which ${what}.`))
    }
  }
  return faults
}

async function blobFault(blobs: BlobStore, hash: string): Promise<"missing-blob" | "damaged-blob" | undefined> {
  try {
    for await (const _ of blobs.openRead(hash));
    return undefined
  } catch (error) {
    if (isTreelogError(error, "BlobNotFoundError")) return "missing-blob"
    if (isTreelogError(error, "BlobDamagedError")) return "damaged-blob"
    throw error
  }
}
