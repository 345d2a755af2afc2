/** So much is worked on at once. Characters, and things. */
const MAX_CHARACTERS = 1 << 20
const MAX_ITEMS = 512

/** Gathers things until they are worth a go together, and never more than memory should hold at a time. */
export async function* inBatches<Thing>(
  things: Iterable<Thing> | AsyncIterable<Thing>,
  sizeOf: (thing: Thing) => number,
): AsyncGenerator<Thing[]> {
  let batch: Thing[] = []
  let size = 0
  for await (const thing of things) {
    batch.push(thing)
    size += sizeOf(thing)
    if (size < MAX_CHARACTERS && batch.length < MAX_ITEMS) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** About how many characters a JSON value takes. */
export function sizeOfValue(value: unknown): number {
  let size = 0
  const open: unknown[] = [value]
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next === "string") size += next.length
    else if (typeof next === "object" && next !== null) for (const item of Object.values(next)) open.push(item)
    size += 8
  }
  return size
}

/** As many characters or bytes go out in one write. */
const WRITE_SIZE = 1 << 16

/** Joins small contents into larger writes. */
export async function* mergedWrites(contents: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
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
