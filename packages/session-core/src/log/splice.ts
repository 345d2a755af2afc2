/** Puts something else in the place of the bytes from `offset` to `offset + length` of what is stored. */
export interface ByteEdit {
  readonly offset: number
  readonly length: number
  /** The new bytes, or how they come from those that stand there. */
  readonly bytes: Uint8Array | ((old: Uint8Array) => Uint8Array)
}

/** A piece of new content: bytes of the source, as they are or changed, or new ones. */
export type Part =
  | { readonly from: number; readonly to: number; readonly change?: (old: Uint8Array) => Uint8Array }
  | { readonly bytes: Uint8Array }

export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>

/** Of a long part. Bytes. */
const BLOCK = 1 << 20
/** Short parts often follow each other: so much is read at once. Bytes. */
const AHEAD = 64 * 1024

/** The whole source of `size` bytes with the edits made (sorted by offset, not overlapping), as parts. */
export function editedParts(size: number, edits: readonly ByteEdit[]): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { offset, length, bytes } of edits) {
    if (offset > at) parts.push({ from: at, to: offset })
    if (typeof bytes === "function") parts.push({ from: offset, to: offset + length, change: bytes })
    else if (bytes.length > 0) parts.push({ bytes })
    at = offset + length
  }
  if (at < size) parts.push({ from: at, to: size })
  return parts
}

/** Carries the parts out, a block at a time: bytes that do not change are copied, never parsed or formatted again. */
export async function* assemble(parts: Iterable<Part>, read: ReadBytes): AsyncGenerator<Uint8Array> {
  const source = new ReadAhead(read)
  for (const part of parts) {
    if ("bytes" in part) yield part.bytes
    else if (part.change) yield part.change(await source.read(part.from, part.to - part.from))
    else for (let at = part.from; at < part.to; at += BLOCK) yield await source.read(at, Math.min(BLOCK, part.to - at))
  }
}

/** Reads along what comes next. */
class ReadAhead {
  readonly #read: ReadBytes
  #block: Uint8Array = new Uint8Array()
  #offset = 0

  constructor(read: ReadBytes) {
    this.#read = read
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const from = offset - this.#offset
    if (from >= 0 && from + length <= this.#block.length) return this.#block.subarray(from, from + length)
    if (length >= AHEAD) return this.#read(offset, length)
    this.#block = await this.#read(offset, AHEAD)
    this.#offset = offset
    return this.#block.subarray(0, length)
  }
}
