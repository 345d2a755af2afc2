import { bytesOfStream } from "./read-stream.js"
import type { SessionSource } from "./session-source.js"

/** A file that was dropped or opened. */
export function fileSource(file: File): SessionSource {
  return { name: file.name, read: (signal) => bytesOfStream(file.stream(), signal) }
}
