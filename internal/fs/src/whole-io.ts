import { setImmediate } from "node:timers/promises"
import type { Chunks } from "@treelog/session-core/adapter"
import type { OpenFile, SyncFile } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

/** The most bytes of one call: operating systems and Node reject 2 GiB. */
const MAX_IO_BYTES = 1_073_741_824

// Large enough that the calls cost little beside the bytes, small enough for memory.
const BUFFER_BYTES = 256 * 1024

// The system may read or write less than requested, and may be interrupted before it did anything. Neither is a
// fault.

/** Fills the buffer from the position on; resolves to the number of bytes, which is less only where the file ends. */
export async function readWhole(file: OpenFile, buffer: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < buffer.length) {
    const length = Math.min(buffer.length - done, MAX_IO_BYTES)
    const { bytesRead } = await uninterrupted(() => file.read(buffer, done, length, position + done))
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** `readWhole` without promises. */
export function readWholeSync(file: SyncFile, buffer: Uint8Array, position: number): number {
  let done = 0
  while (done < buffer.length) {
    const length = Math.min(buffer.length - done, MAX_IO_BYTES)
    const read = uninterruptedSync(() => file.readSync(buffer, done, length, position + done))
    if (read === 0) break
    done += read
  }
  return done
}

/** Writes all of the bytes: from the position on, or at the file's own position when that is null. */
export async function writeWhole(file: OpenFile, bytes: Uint8Array, position: number | null): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const at = position === null ? null : position + done
    const length = Math.min(bytes.length - done, MAX_IO_BYTES)
    const { bytesWritten } = await uninterrupted(() => file.write(bytes, done, length, at))
    if (bytesWritten === 0) throw noneTaken()
    done += bytesWritten
  }
}

/** `writeWhole` without promises. Returns how many bytes they are. */
export function writeWholeSync(file: SyncFile, bytes: Uint8Array, position: number | null): number {
  let done = 0
  while (done < bytes.length) {
    const at = position === null ? null : position + done
    const length = Math.min(bytes.length - done, MAX_IO_BYTES)
    const written = uninterruptedSync(() => file.writeSync(bytes, done, length, at))
    if (written === 0) throw noneTaken()
    done += written
  }
  return done
}

function noneTaken(): Error {
  return Object.assign(new Error("The system took none of the bytes"), { code: "EIO" })
}

/**
 * Writes pieces one after the other, from the file's own position on; small ones, such as single lines, together. Other work of the
 * process runs in between.
 */
export async function writeChunks(file: SyncFile, chunks: Chunks): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES)
  let used = 0
  for await (const chunk of chunks) {
    if (used + chunk.length > buffer.length) {
      writeWholeSync(file, buffer.subarray(0, used), null)
      used = 0
      await setImmediate()
    }
    if (chunk.length > buffer.length) writeWholeSync(file, chunk, null)
    else {
      buffer.set(chunk, used)
      used += chunk.length
    }
  }
  writeWholeSync(file, buffer.subarray(0, used), null)
}

async function uninterrupted<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!isErrno(error, "EINTR")) throw error
    }
  }
}

export function uninterruptedSync<T>(action: () => T): T {
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isErrno(error, "EINTR")) throw error
    }
  }
}
