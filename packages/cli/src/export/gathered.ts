/** As many characters or bytes go out in one write. */
const WRITE_SIZE = 1 << 16

/** Puts small contents together, so that each write is worth it. */
export async function* gathered(contents: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let text = ""
  for await (const content of contents) {
    if (typeof content === "string") text += content
    if (text.length >= WRITE_SIZE || (typeof content !== "string" && text !== "")) {
      yield text
      text = ""
    }
    if (typeof content !== "string") yield content
  }
  if (text !== "") yield text
}
