import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { OpenedFile } from "./whole-file.js"

/** Bytes that are read at once. */
const BLOCK = 256 * 1024
const LF = 0x0a
/** Used again for each file: new memory for each of thousands takes longer than reading. */
let memory: Buffer | undefined

/** What is read at once of the end of a file, at most, and of a line in it: what a request holds, with what is noted beside it. Bytes. */
export const LONGEST_END = 64 * 1024 * 1024

/** Whole lines of a file. */
export interface LinePiece {
  /** In the file. Bytes. */
  readonly offset: number
  /** Valid until the next piece is asked for. */
  readonly bytes: Buffer
}

/** The lines before a place, from the first on. */
function* piecesForward(file: OpenedFile, to: number): Generator<LinePiece> {
  memory ??= Buffer.allocUnsafeSlow(BLOCK)
  const block = memory
  for (let offset = 0, length = BLOCK; offset < to; ) {
    const bytes = file.read(offset, Math.min(length, to - offset), length > BLOCK ? undefined : block)
    const end = offset + bytes.length < to ? bytes.lastIndexOf(LF) + 1 : bytes.length
    if (end > 0) yield { offset, bytes: bytes.subarray(0, end) }
    offset += end
    length = end > 0 ? BLOCK : length * 4
  }
}

/**
 * The lines before a place, from the last piece to the first, but for what is longer than `LONGEST_END`, which no program can send.
 * @param from lines that begin there or before are left out, unless it is 0. Bytes @param block memory for what is read at once
 */
export function* piecesBackward(
  file: OpenedFile,
  before: number,
  from: number,
  block: Buffer = Buffer.allocUnsafeSlow(BLOCK),
): Generator<LinePiece> {
  let isCut = false
  for (let to = before, length = block.length; to > from; ) {
    const start = Math.max(from, to - length)
    const bytes = file.read(start, to - start, length > block.length ? undefined : block)
    const first = start > 0 ? bytes.indexOf(LF) + 1 : 0
    const hasLine: boolean = start === 0 || (first > 0 && (isCut || first < bytes.length))
    if (!hasLine && start === from) return
    if (hasLine || length >= LONGEST_END) {
      const end = isCut ? bytes.lastIndexOf(LF) + 1 : bytes.length
      if (hasLine) yield { offset: start + first, bytes: bytes.subarray(first, end) }
      to = hasLine ? start + first : start
      isCut = !hasLine
      length = block.length
    } else length *= 4
  }
}

/**
 * The lines before a place that are wanted. Most are not, and are not cut out.
 * @param wantedIn says, of whole lines, whether one of them is wanted, by its start and its end. It is asked for one after the other.
 */
export function* wantedLines(
  file: OpenedFile,
  to: number,
  wantedIn: (bytes: Buffer) => (start: number, end: number) => boolean,
): Generator<Line> {
  let number = 0
  for (const { offset, bytes } of piecesForward(file, to)) {
    const isWanted = wantedIn(bytes)
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = bytes.indexOf(LF, start) + 1 || bytes.length
      number += 1
      if (!isWanted(start, end)) continue
      const at = offset + start
      // A failed disk leaves millions of empty lines, for which to make what cuts lines would take seconds.
      if (bytes[start] === LF)
        yield { number, offset: at, bytes: bytes.subarray(start, start), end: at + 1, terminated: true }
      else yield* linesOf(bytes.subarray(start, end), { line: number, offset: at })
    }
  }
}

/** Whether one of some texts stands in a range; to be asked for ranges that follow each other, so that all bytes are searched once. */
export function textsIn(bytes: Buffer, texts: readonly string[]): (start: number, end: number) => boolean {
  const searches = texts.map((text) => ({ text: Buffer.from(text), next: -1 }))
  return (start, end) =>
    searches.some((search) => {
      if (search.next < start) search.next = bytes.indexOf(search.text, start)
      if (search.next === -1) search.next = bytes.length
      return search.next < end
    })
}

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
  /** Where a line begins, or the file ends: the search goes backwards from there. Bytes. */
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
  const wanted = searches.map(({ text }) => Buffer.from(text))
  for (const { offset, bytes } of piecesBackward(file, Math.max(...searches.map(({ before }) => before)), from)) {
    const open = wanted.flatMap((text, at) => (!found[at] && bytes.includes(text) ? [at] : []))
    for (const at of open) {
      const { before, find } = searches[at] as LineSearch<Found>
      const text = wanted[at] as Buffer
      for (let hit = bytes.lastIndexOf(text); hit !== -1 && !found[at]; ) {
        const start = bytes.lastIndexOf(LF, hit) + 1
        const end = bytes.indexOf(LF, hit) + 1 || bytes.length
        const lines = linesOf(bytes.subarray(start, end), { line: file.size, offset: offset + start })
        for (const line of offset + end <= before ? lines : []) {
          const one = find(line)
          if (one !== undefined) found[at] = { offset: line.offset, found: one }
        }
        hit = start > 0 ? bytes.lastIndexOf(text, start - 1) : -1
      }
    }
    if (found.every((one) => one)) break
  }
  return found
}

/** The lines from the start of one on. Their numbers are not those in the file: no line before them has such a one. */
export function linesFrom(file: OpenedFile, offset: number): Iterable<Line> {
  return linesOf(file.read(offset, file.size - offset), { line: file.size, offset })
}

export function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
