import { bytesOfStream } from "./read-stream.js"
import type { SessionSource } from "./session-source.js"

/** A file that was dropped or opened. */
export function fileSource(file: Blob): SessionSource {
  return { name: file instanceof File ? file.name : "Session", read: (signal) => bytesOfStream(file.stream(), signal) }
}
