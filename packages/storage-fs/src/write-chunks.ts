import type { Chunks } from "@treelog/session-core/adapter"
import type { OpenFile } from "./fs-port.js"
import { writeWhole } from "./whole-io.js"

// Large enough that the calls cost little beside the bytes, small enough to be no burden.
const ROOM_BYTES = 256 * 1024

/** Writes pieces one after the other, from where the file stands; small ones, such as single lines, together. */
export async function writeChunks(file: OpenFile, chunks: Chunks): Promise<void> {
  const room = new Uint8Array(ROOM_BYTES)
  let used = 0
  const empty = async (): Promise<void> => {
    if (used > 0) await writeWhole(file, room.subarray(0, used), null)
    used = 0
  }
  for await (const chunk of chunks) {
    if (used + chunk.length > room.length) await empty()
    if (chunk.length > room.length) await writeWhole(file, chunk, null)
    else {
      room.set(chunk, used)
      used += chunk.length
    }
  }
  await empty()
}
