import { MAX_IO_BYTES } from "@treelog/session-core/adapter"
import type { OpenFile } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

// The system may read or write less than it was asked to, and may be interrupted. Neither is a fault: what is done
// twice is done at the same position.

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

/** Writes all of the bytes at the position. */
export async function writeWhole(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const length = Math.min(bytes.length - done, MAX_IO_BYTES)
    const { bytesWritten } = await uninterrupted(() => file.write(bytes, done, length, position + done))
    if (bytesWritten === 0) throw Object.assign(new Error("The system took none of the bytes"), { code: "EIO" })
    done += bytesWritten
  }
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
