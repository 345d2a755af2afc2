import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { OpenedFile } from "./whole-file.js"

/** Bytes that are read at once. */
const BLOCK = 256 * 1024
const LF = 0x0a

/** What is read at once of the end of a file, at most, and of a line in it: what a request holds, with what is noted beside it. Bytes. */
export const LONGEST_END = 64 * 1024 * 1024

/** A line of a file, with what was found in it. */
export interface FoundLine<Found> {
  /** Bytes. */
  readonly offset: number
  readonly found: Found
}

/** A line that is looked for. */
export interface LineSearch<Found> {
  /** Only lines with it are looked at. */
  readonly text: string
  /** Where the search begins, which goes backwards. Bytes. */
  readonly before: number
  /** Undefined where the line is not the one. Its number is not that in the file. */
  readonly find: (line: Line) => Found | undefined
}

/** The last line before a place that has a text and in which something is found. @param from where the search ends. Bytes. */
export function lastLine<Found>(
  file: OpenedFile,
  search: LineSearch<Found>,
  from?: number,
): FoundLine<Found> | undefined {
  return lastLines(file, [search], from)[0]
}

/** Several of them, in the order of the searches. The file is read once. */
export function lastLines<Found>(
  file: OpenedFile,
  searches: readonly LineSearch<Found>[],
  from = 0,
): (FoundLine<Found> | undefined)[] {
  const found: (FoundLine<Found> | undefined)[] = searches.map(() => undefined)
  const ends = searches.map(({ before }) => before)
  const longest = Math.max(...searches.map(({ text }) => Buffer.byteLength(text)))
  const memory = Buffer.allocUnsafeSlow(Math.min(BLOCK, file.size) + longest)
  for (let end = Math.max(...ends); end > from; end = Math.max(...ends)) {
    const start = Math.max(from, end - BLOCK)
    // A text may stand across two blocks.
    const to = Math.min(end + longest - 1, file.size)
    const block = file.read(start, to - start, memory)
    for (const [at, search] of searches.entries()) {
      const searchTo = ends[at] ?? from
      if (searchTo <= start) continue
      const { end: next, found: line } = lastIn(file, search, { start, end: searchTo, block })
      found[at] = line
      ends[at] = line ? from : next
    }
  }
  return found
}

/** @returns where the search goes on, if nothing is found */
function lastIn<Found>(
  file: OpenedFile,
  { text, before, find }: LineSearch<Found>,
  { start, end, block }: { readonly start: number; readonly end: number; readonly block: Buffer },
): { readonly end: number; readonly found?: FoundLine<Found> } {
  const wanted = Buffer.from(text)
  const searched = block.subarray(0, Math.min(end + wanted.length - 1, before) - start)
  let next = start
  for (let at = searched.lastIndexOf(wanted); at !== -1; ) {
    const offset = lineStart(file, start, searched.subarray(0, at))
    const lineTo = lineEnd(file, start + at, searched.subarray(at))
    // A longer line is none that its program can send.
    const found = lineTo - offset > LONGEST_END ? undefined : findIn(file, offset, lineTo, find)
    if (found !== undefined) return { end: next, found: { offset, found } }
    next = Math.min(start, offset)
    at = offset > start ? searched.lastIndexOf(wanted, offset - start - 1) : -1
  }
  return { end: next }
}

function findIn<Found>(
  file: OpenedFile,
  offset: number,
  end: number,
  find: (line: Line) => Found | undefined,
): Found | undefined {
  for (const line of linesFrom(file, offset, end)) {
    const found = find(line)
    if (found !== undefined) return found
  }
  return undefined
}

/** The lines from the start of one on. Their numbers are not those in the file: no line before them has such a one. */
export function linesFrom(file: OpenedFile, offset: number, end = file.size): Iterable<Line> {
  return linesOf(file.read(offset, end - offset), { line: file.size, offset })
}

/** @param bytes from `start` to a place in the line */
function lineStart(file: OpenedFile, start: number, bytes: Buffer): number {
  let [from, block] = [start, bytes]
  for (let at = block.lastIndexOf(LF); at === -1 && from > 0; at = block.lastIndexOf(LF)) {
    const before = Math.max(0, from - BLOCK)
    block = file.read(before, from - before)
    from = before
  }
  return from + block.lastIndexOf(LF) + 1
}

/** @param bytes from `start`, a place in the line, on */
function lineEnd(file: OpenedFile, start: number, bytes: Buffer): number {
  let [from, block] = [start, bytes]
  for (let at = block.indexOf(LF); ; at = block.indexOf(LF)) {
    if (at !== -1) return from + at + 1
    from += block.length
    if (from >= file.size) return file.size
    block = file.read(from, Math.min(BLOCK, file.size - from))
  }
}
