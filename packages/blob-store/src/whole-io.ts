import type { OpenFile } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

// The system may read or write less than it was asked to, and may be interrupted before it did anything. Neither is a fault.

/** Node refuses to read or write 2 GiB at once. */
const MOST_AT_ONCE = 2 ** 30

/** Fills the buffer from where the file stands; resolves to the number of bytes, which is less only where the file ends. */
export async function readWhole(file: OpenFile, buffer: Uint8Array): Promise<number> {
  let done = 0
  while (done < buffer.length) {
    const length = Math.min(buffer.length - done, MOST_AT_ONCE)
    const { bytesRead } = await uninterrupted(() => file.read(buffer, done, length, null))
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** Writes all of the bytes where the file stands. */
export async function writeWhole(file: OpenFile, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const length = Math.min(bytes.length - done, MOST_AT_ONCE)
    const { bytesWritten } = await uninterrupted(() => file.write(bytes, done, length, null))
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
