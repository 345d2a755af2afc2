import { byteText, indexOfText } from "../log/byte-text.js"
import { joinBytes } from "../log/bytes.js"
import { hashInRef } from "../ports/blob-store.js"

const START = "blob:sha256:"
const LENGTH = START.length + 64
/** Bytes of a reference, but for one. */
export const REFERENCE_OVERLAP = LENGTH - 1

/**
 * Finds the hashes that bytes refer to, wherever they stand and however the bytes are cut into chunks. It asks nothing of what is around a
 * reference: in a torn line, a backup or a database it counts like in a sound line.
 */
export class NamedBlobs {
  /** The last bytes so far, in which a reference may have begun. */
  #tail: Uint8Array

  /** @param before what stands before the first chunk, if that is not the first */
  constructor(before: Uint8Array = new Uint8Array()) {
    this.#tail = before
  }

  /** The hashes whose references end in this chunk, or in the last bytes before it: some may be repeated. The chunk is the caller's again. */
  in(chunk: Uint8Array): string[] {
    const seam = joinBytes([this.#tail, chunk.subarray(0, REFERENCE_OVERLAP)])
    const end = chunk.length < REFERENCE_OVERLAP ? seam : chunk
    this.#tail = new Uint8Array(end.subarray(-REFERENCE_OVERLAP))
    return [...hashesIn(seam), ...hashesIn(chunk)]
  }
}

function hashesIn(bytes: Uint8Array): string[] {
  const hashes: string[] = []
  for (let at = indexOfText(bytes, START, 0); at !== -1; at = indexOfText(bytes, START, at + 1)) {
    const hash = hashInRef(byteText(bytes, at, Math.min(at + LENGTH, bytes.length)))
    if (hash !== undefined) hashes.push(hash)
  }
  return hashes
}
