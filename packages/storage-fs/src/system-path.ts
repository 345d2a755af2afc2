import { bytesOfText } from "@treelog/session-core/adapter"

/** A path as the system takes it: as bytes where its text stands for bytes that are not valid UTF-8. */
export function systemPath(path: string): string | Buffer {
  const bytes = bytesOfText(path)
  return bytes === undefined ? path : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
