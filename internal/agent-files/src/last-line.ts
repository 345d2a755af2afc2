import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { OpenedFile } from "./whole-file.js"

/** Bytes that are read at once. */
const BLOCK = 1024 * 1024
const LF = 0x0a

/** What is read at once of the end of a file, at most, and of a line in it: what a request holds, with what is noted beside it. Bytes. */
export const LONGEST_END = 64 * 1024 * 1024

/** A line of a file, with what was found in it. */
export interface FoundLine<Found> {
  /** Bytes. */
  readonly offset: number
  readonly found: Found
}

/**
 * The last line before a place that has a text and in which something is found. Only lines with the text are looked at.
 * @param text in ASCII
 * @param from where the search ends. Bytes.
 * @param find undefined where the line is not the one. Its number is not that in the file.
 */
export function lastLine<Found>(
  file: OpenedFile,
  text: string,
  { before, from = 0 }: { readonly before: number; readonly from?: number },
  find: (line: Line) => Found | undefined,
): FoundLine<Found> | undefined {
  const wanted = Buffer.from(text)
  for (let end = before; end > from; ) {
    const start = Math.max(from, end - BLOCK)
    // A text may stand across two blocks.
    const block = file.read(start, Math.min(end + wanted.length - 1, before) - start)
    end = start
    for (let at = block.lastIndexOf(wanted); at !== -1; ) {
      const offset = lineStart(file, start, block.subarray(0, at))
      const lineTo = lineEnd(file, start + at, block.subarray(at))
      // A longer line is none that its program can send.
      const found = lineTo - offset > LONGEST_END ? undefined : findIn(file, offset, lineTo, find)
      if (found !== undefined) return { offset, found }
      end = Math.min(start, offset)
      at = offset > start ? block.lastIndexOf(wanted, offset - start - 1) : -1
    }
  }
  return undefined
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
