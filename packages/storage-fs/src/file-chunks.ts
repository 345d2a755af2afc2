import type { FsPort } from "./fs-port.js"
import { openPlain } from "./plain-file.js"
import { readWhole } from "./whole-io.js"

// Large enough that the calls cost little beside the bytes, small enough to be no burden.
const CHUNK_BYTES = 256 * 1024

/** The bytes of a file in pieces. Each piece is valid until the next one is asked for. */
export async function* fileChunks(fs: FsPort, path: string): AsyncGenerator<Uint8Array> {
  const { file } = await openPlain(fs, path)
  try {
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let position = 0; ; ) {
      const length = await readWhole(file, chunk, position)
      if (length > 0) yield chunk.subarray(0, length)
      if (length < chunk.length) return
      position += length
    }
  } finally {
    await file.close()
  }
}
