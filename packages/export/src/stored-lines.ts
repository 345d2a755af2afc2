import type { SessionStorage } from "@treelog/session-core"
import { type Line, LineSplitter } from "@treelog/session-core/adapter"

const BLOCK = 1 << 20

/** The bytes of a stored session, of the size that it has now. */
export async function* storedBytes(storage: SessionStorage, key: string): AsyncGenerator<Uint8Array> {
  const stat = await storage.stat(key)
  if (!stat) return
  for (let at = 0; at < stat.size; ) {
    const chunk = await storage.readRange(key, at, Math.min(BLOCK, stat.size - at), stat.identity)
    if (chunk.length === 0) return
    yield chunk
    at += chunk.length
  }
}

export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const splitter = new LineSplitter()
  for await (const chunk of bytes) yield* splitter.push(chunk)
  yield* splitter.finish()
}
