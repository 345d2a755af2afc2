import type { Diagnostic } from "../../entry/diagnostic.js"
import type { SessionEntry } from "../../entry/entry.js"
import { isTreelogError } from "../../errors.js"
import { blobUse } from "../../persist/restore-entry.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { SessionState } from "../session-state.js"
import { faultAt } from "./check-entries.js"

/** Finds blobs that entries name and that are missing or damaged, and texts that were cut for good. Each blob is read once. */
export class BlobChecks {
  readonly #state: SessionState
  readonly #blobs: BlobStore | undefined
  readonly #known = new Map<string, "missing-blob" | "damaged-blob" | undefined>()

  /** @param blobs without it, only texts are checked */
  constructor(state: SessionState, blobs: BlobStore | undefined) {
    this.#state = state
    this.#blobs = blobs
  }

  async of(ordinal: number, entry: SessionEntry): Promise<Diagnostic[]> {
    const faults: Diagnostic[] = []
    const { hashes, hasLostText } = blobUse(entry)
    if (hasLostText) {
      const message = `Entry ${entry.id} holds a text that was cut by the program that wrote it; the rest was kept nowhere.`
      faults.push(faultAt(this.#state, ordinal, "cut-text", message))
    }
    for (const hash of this.#blobs ? hashes : []) {
      if (this.#blobs && !this.#known.has(hash)) this.#known.set(hash, await blobFault(this.#blobs, hash))
      const kind = this.#known.get(hash)
      if (!kind) continue
      const what = kind === "missing-blob" ? "is not in the blob store" : "is damaged in the blob store"
      faults.push(faultAt(this.#state, ordinal, kind, `Entry ${entry.id} names blob ${hash}, which ${what}.`))
    }
    return faults
  }
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
