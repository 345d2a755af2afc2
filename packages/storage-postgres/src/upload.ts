import type { Chunks } from "@treelog/session-core/adapter"
import type { Database, Purpose } from "./database.js"
import { REMOVE_UPLOAD, UPLOAD } from "./statements.js"

/** The bytes of a statement. A larger object is uploaded in several, so that it is never in memory as a whole. */
const BATCH_BYTES = 4 * 1024 * 1024

/** The bytes of a new object: all but the last of them are stored already, where no reader finds them. */
export interface Upload {
  readonly object: string
  readonly size: number
  readonly last: Uint8Array
  /** Whether pieces were stored before `last`. */
  readonly isStored: boolean
}

/**
 * Collects the chunks of a new object, and uploads what is more than one batch. This is not a transaction: it would hold a connection for
 * as long as the source takes, and the source may need one itself. What fails is removed.
 */
export async function uploadAll(database: Database, purpose: Purpose, chunks: Chunks, object: string): Promise<Upload> {
  let [waiting, length, start]: [Uint8Array[], number, number] = [[], 0, 0]
  const upload = async () => {
    await database.query(purpose, UPLOAD, [object, start, Buffer.concat(waiting)])
    start += length
    waiting = []
    length = 0
  }
  try {
    for await (const chunk of chunks) {
      if (length > 0 && length + chunk.length > BATCH_BYTES) await upload()
      waiting.push(new Uint8Array(chunk))
      length += chunk.length
    }
  } catch (error) {
    // The error of the source is what the caller needs; what cannot be removed now, `removeAbandonedUploads` removes.
    if (start > 0) await Promise.allSettled([database.query(purpose, REMOVE_UPLOAD, [object])])
    throw error
  }
  return { object, size: start + length, last: Buffer.concat(waiting), isStored: start > 0 }
}
