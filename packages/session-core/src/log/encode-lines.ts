import { encodeText } from "./format-line.js"

const LF = 0x0a

/** Encoding many short lines together costs a fraction of encoding each. In units of strings. */
const TOGETHER = 1 << 20

/** Lines as bytes. */
export interface EncodedLines {
  /** Whole lines, one after the other. */
  readonly pieces: readonly Uint8Array[]
  /** Bytes of each line, LF included. */
  readonly lengths: readonly number[]
}

/** @param lines each with its LF, and no other one: as JSON has them */
export function encodeLines(lines: readonly string[]): EncodedLines {
  const pieces: Uint8Array[] = []
  const lengths: number[] = []
  for (let from = 0; from < lines.length; ) {
    const to = endOfGroup(lines, from)
    const group = lines.slice(from, to)
    const text = group.join("")
    const bytes = encodeText(text)
    pieces.push(bytes)
    if (bytes.length === text.length) for (const line of group) lengths.push(line.length)
    else for (const length of lineLengths(bytes)) lengths.push(length)
    from = to
  }
  return { pieces, lengths }
}

/** At least one line, and as many as are encoded together. */
function endOfGroup(lines: readonly string[], from: number): number {
  let size = 0
  let to = from
  do size += lines[to++]?.length ?? 0
  while (to < lines.length && size + (lines[to]?.length ?? 0) <= TOGETHER)
  return to
}

function* lineLengths(bytes: Uint8Array): Generator<number> {
  let from = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, from)) {
    yield at + 1 - from
    from = at + 1
  }
}
