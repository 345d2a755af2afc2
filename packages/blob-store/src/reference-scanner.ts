import { Buffer } from "node:buffer"
import { hashInRef } from "@treelog/session-core/adapter"

const START = Buffer.from("blob:sha256:")
const LENGTH = START.length + 64

/**
 * Finds the hashes that bytes refer to, wherever they stand and however the bytes are cut into chunks. It asks nothing
 * of what is around a reference: in a torn line, a backup or a database it counts like in a sound line.
 */
export class ReferenceScanner {
  readonly #found: (hash: string) => void
  /** The last bytes so far, in which a reference may have started. */
  #tail = Buffer.alloc(0)

  constructor(found: (hash: string) => void) {
    this.#found = found
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, LENGTH - 1)])
    this.#scan(seam)
    this.#scan(chunk)
    const end = chunk.length < LENGTH ? seam : chunk
    this.#tail = Buffer.from(end.subarray(Math.max(0, end.length - LENGTH + 1)))
  }

  #scan(bytes: Buffer): void {
    for (let at = bytes.indexOf(START); at !== -1; at = bytes.indexOf(START, at + 1)) {
      const hash = hashInRef(bytes.toString("latin1", at, at + LENGTH))
      if (hash !== undefined) this.#found(hash)
    }
  }
}
