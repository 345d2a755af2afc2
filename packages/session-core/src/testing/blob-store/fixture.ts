import { joinBytes } from "../../log/bytes.js"
import type { BlobStore, StoredBlob } from "../../ports/blob-store.js"
import { webDigest } from "../../ports/digest.js"
import { equal, ok } from "../assert.js"
import { type TestsOf, testsWhere } from "../suite.js"

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

/** The input of a test: a new store, and operations beside it. */
export interface BlobFixture {
  readonly store: BlobStore
  reopen(): Promise<BlobStore>
  damage(hash: string): Promise<void>
  close(): Promise<void>
}

/** What a test needs of the candidate. */
type Need = "reopen" | "damage"

export type Tests = TestsOf<BlobFixture, Need>

export const where = testsWhere<BlobFixture, Need>

export async function openFixture<Setup extends BlobStoreSetup>(
  candidate: BlobStoreCandidate<Setup>,
): Promise<BlobFixture> {
  const setup = await candidate.setup()
  return {
    store: setup.store,
    reopen: async () => {
      ok(candidate.reopen !== undefined, "the candidate has `reopen`")
      return candidate.reopen(setup)
    },
    damage: async (hash) => {
      ok(candidate.damage !== undefined, "the candidate has `damage`")
      await candidate.damage(setup, hash)
    },
    close: () => setup.teardown(),
  }
}

/** A hash of no blob in these tests. */
export const NO_BLOB = "0123456789abcdef".repeat(4)

export function sha256(bytes: Uint8Array): Promise<string> {
  return webDigest.sha256(bytes)
}

/** Everything that `list` yields, sorted by hash. */
export async function listed(store: BlobStore): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = []
  for await (const blob of store.list()) blobs.push(blob)
  return blobs.sort((one, other) => (one.hash < other.hash ? -1 : 1))
}

export async function streamed(store: BlobStore, hash: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of store.openRead(hash)) pieces.push(piece)
  return joinBytes(pieces)
}

/** Asserts that every method for reading returns exactly these bytes. */
export async function holds(store: BlobStore, hash: string, bytes: Uint8Array): Promise<void> {
  equal(await store.get(hash), bytes, `what get gives for ${hash}`)
  equal(await streamed(store, hash), bytes, `what openRead gives for ${hash}`)
  equal(await store.size(hash), bytes.length, `the size of ${hash}`)
  equal(await store.has(hash), true, `whether the store has ${hash}`)
}
