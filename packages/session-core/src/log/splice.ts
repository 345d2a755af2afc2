/** Puts something else in the place of the bytes from `offset` to `offset + length` of what is stored. */
export interface ByteEdit {
  readonly offset: number
  readonly length: number
  /** The new bytes, or how they come from those that stand there. */
  readonly bytes: Uint8Array | ((old: Uint8Array) => Uint8Array)
}

/** A piece of new content: bytes of the source, as they are or changed, or new ones. */
export type Part =
  | {
      readonly from: number
      readonly to: number
      readonly change?: (old: Uint8Array) => Uint8Array
    }
  | { readonly bytes: Uint8Array }

export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>

/** Of a long part. Bytes. */
const BLOCK = 1_048_576
/** Short parts often follow each other: so much is read at once. Bytes. */
const AHEAD = 65_536

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

/** The parts of a source that is at hand. */
export function* assembleSync(parts: Iterable<Part>, source: Uint8Array): Generator<Uint8Array> {
  for (const part of parts) {
    if ("bytes" in part) yield part.bytes
    else yield part.change ? part.change(source.subarray(part.from, part.to)) : source.subarray(part.from, part.to)
  }
}

/** Carries the parts out, a block at a time: bytes that do not change are copied, never parsed or formatted again. */
export async function* assemble(parts: Iterable<Part>, read: ReadBytes): AsyncGenerator<Uint8Array> {
  let block: Promise<Uint8Array> | undefined
  let start = 0
  /** Reads along what comes next. */
  const bytesAt = (offset: number, length: number): Promise<Uint8Array> => {
    if (length >= AHEAD) return read(offset, length)
    if (!block || offset < start || offset + length > start + AHEAD) {
      block = read(offset, AHEAD)
      start = offset
    }
    const from = offset - start
    return block.then((found) => found.subarray(from, from + length))
  }
  for (const piece of piecesOf(parts)) {
    if ("bytes" in piece) yield piece.bytes
    else {
      const bytes = await bytesAt(piece.from, piece.to - piece.from)
      yield piece.change ? piece.change(bytes) : bytes
    }
  }
}

/** The parts, the long ones in blocks. */
function* piecesOf(parts: Iterable<Part>): Generator<Part> {
  for (const part of parts) {
    if ("bytes" in part || part.change || part.to - part.from <= BLOCK) yield part
    else for (let at = part.from; at < part.to; at += BLOCK) yield { from: at, to: Math.min(at + BLOCK, part.to) }
  }
}
