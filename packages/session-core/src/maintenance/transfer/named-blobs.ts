import { byteText } from "../../log/byte-text.js"

const REFERENCE = /blob:sha256:([0-9a-f]{64})/g
/** Bytes of a reference, but for one. */
export const REFERENCE_OVERLAP = 75

/** Finds the hashes that bytes refer to, also in lines that cannot be read, and across chunks. */
export class NamedBlobs {
  /** The last bytes so far, in which a reference may have begun. */
  #tail: string

  /** @param before what stands before the first chunk, if that is not the first */
  constructor(before: Uint8Array = new Uint8Array()) {
    this.#tail = byteText(before)
  }

  /** The hashes whose references end in this chunk, or in the last bytes before it: some may be repeated. */
  in(chunk: Uint8Array): string[] {
    const text = this.#tail + byteText(chunk)
    this.#tail = text.slice(-REFERENCE_OVERLAP)
    return [...text.matchAll(REFERENCE)].map(([, hash = ""]) => hash)
  }
}
