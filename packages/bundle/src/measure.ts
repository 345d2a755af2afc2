import { createHash } from "node:crypto"
import { TreelogError } from "@treelog/session-core"
import { NamedBlobs } from "@treelog/session-core/maintenance"
import type { BundledFile } from "./manifest.js"

/** A file of a bundle, and its bytes, which can be read more than once. */
export interface BundleSource extends BundledFile {
  /** @throws SessionChangedError after the last chunk when they are not what was measured */
  open(): AsyncIterable<Uint8Array>
}

/** Reads the bytes once for size and hash. @param blobs gets the hash of each blob that they refer to */
export async function measure(
  path: string,
  open: () => AsyncIterable<Uint8Array>,
  blobs = new Set<string>(),
): Promise<BundleSource> {
  const [hash, named] = [createHash("sha256"), new NamedBlobs()]
  let size = 0
  for await (const chunk of open()) {
    size += chunk.length
    hash.update(chunk)
    for (const blob of named.in(chunk)) blobs.add(blob)
  }
  const measured: BundledFile = { path, size, sha256: hash.digest("hex") }
  return { ...measured, open: () => unchanged(measured, open()) }
}

/** The bytes, as long as they are those that were measured. */
async function* unchanged({ path, size, sha256 }: BundledFile, chunks: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256")
  let left = size
  for await (const chunk of chunks) {
    const taken = chunk.subarray(0, left)
    hash.update(taken)
    left -= taken.length
    // Some readers use their buffer again.
    yield new Uint8Array(taken)
    if (left === 0) break
  }
  if (left === 0 && hash.digest("hex") === sha256) return
  const message = `What was to be ${path} changed while it was bundled. Run the command again.`
  throw new TreelogError("SessionChangedError", message, { key: path, change: left > 0 ? "shrunk" : "replaced" })
}
