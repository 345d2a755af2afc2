import type { SourceEvent } from "./session-source.js"

/** The most bytes to process without a pause. */
const PIECE = 256 * 1024

/** The bytes of a stream, in chunks that are small enough to keep the page responsive. */
export async function* bytesOfStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done || signal.aborted) return
      for (let from = 0; from < value.length; from += PIECE)
        yield { kind: "bytes", bytes: value.subarray(from, from + PIECE) }
    }
  } finally {
    await reader.cancel()
  }
}
