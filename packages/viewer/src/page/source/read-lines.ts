import { StoreError } from "./ask-routes.js"

/**
 * The lines of an answer, in the pieces in which they arrive.
 * @throws StoreError when the last line has no end, so that the answer was cut
 */
export async function* linesOfAnswer({ body }: Response): AsyncGenerator<readonly string[]> {
  const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  if (!reader) return
  let rest = ""
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      const lines = (rest + value).split("\n")
      rest = lines.pop() ?? ""
      if (lines.length > 0) yield lines
    }
  } finally {
    await reader.cancel()
  }
  if (rest !== "") throw new StoreError(200, undefined, "The answer of the server was cut.")
}
