import { type Line, LineSplitter } from "@treelog/session-core/adapter"

/** The lines of a session whose bytes come by. */
export async function* sessionLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const splitter = new LineSplitter()
  for await (const chunk of bytes) yield* splitter.push(chunk)
  yield* splitter.finish()
}
