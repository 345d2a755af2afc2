/** The most of a batch, in characters and in items. */
const MAX_CHARACTERS = 1 << 20
const MAX_ITEMS = 512

/** Collects items into batches: redacting many at once is faster, and a batch fits in memory. */
export async function* inBatches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  sizeOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  let size = 0
  for await (const item of items) {
    batch.push(item)
    size += sizeOf(item)
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

/** Characters of one write. */
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
