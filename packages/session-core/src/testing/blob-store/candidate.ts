import type { BlobStore } from "../../ports/blob-store.js"

/** A blob store that is to be put to the proof. */
export interface BlobStoreCandidate<Setup extends BlobStoreSetup = BlobStoreSetup> {
  /** Heads the results. */
  readonly name: string
  /** Makes a fresh, empty store. Called once for each test. */
  setup(): Promise<Setup>
  /** A second, independent store over the same data. Left out by a store whose blobs end with it. */
  reopen?(setup: Setup): Promise<BlobStore>
  /** Changes one byte of what is stored under the hash, behind the back of the store. Left out where nothing can. */
  damage?(setup: Setup, hash: string): Promise<void>
}

/** One fresh store. What else a candidate puts into it comes back to its `reopen` and `damage`. */
export interface BlobStoreSetup {
  readonly store: BlobStore
  /** Called after each test. */
  teardown(): Promise<void>
}
