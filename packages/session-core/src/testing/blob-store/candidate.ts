import type { BlobStore } from "../../ports/blob-store.js"

/** A blob store to test. */
export interface BlobStoreCandidate<Setup extends BlobStoreSetup = BlobStoreSetup> {
  /** The name of the suite in the results. */
  readonly name: string
  /** Makes a fresh, empty store. Called once for each test. */
  setup(): Promise<Setup>
  /** Opens a second, independent store over the same data. Omit it if blobs do not outlive the store. */
  reopen?(setup: Setup): Promise<BlobStore>
  /** Changes one byte of the blob, bypassing the store. Omit it if that is impossible. */
  damage?(setup: Setup, hash: string): Promise<void>
}

/** A new store for one test. Additional properties are passed to `reopen` and `damage`. */
export interface BlobStoreSetup {
  readonly store: BlobStore
  /** Called after each test. */
  teardown(): Promise<void>
}
