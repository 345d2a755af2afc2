import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { OpenedFile } from "./whole-file.js"

/** Bytes that are read at once. */
const BLOCK = 1024 * 1024
const LF = 0x0a

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
    const at = file.read(start, Math.min(end + wanted.length - 1, before) - start).lastIndexOf(wanted)
    if (at === -1) {
      end = start
      continue
    }
    const offset = lineStart(file, start + at)
    for (const line of linesFrom(file, offset, lineEnd(file, start + at))) {
      const found = find(line)
      if (found !== undefined) return { offset, found }
    }
    end = offset
  }
  return undefined
}

/** The lines from the start of one on. Their numbers are not those in the file: no line before them has such a one. */
export function linesFrom(file: OpenedFile, offset: number, end = file.size): Iterable<Line> {
  return linesOf(file.read(offset, end - offset), { line: file.size, offset })
}

function lineStart(file: OpenedFile, at: number): number {
  for (let end = at; end > 0; ) {
    const start = Math.max(0, end - BLOCK)
    const found = file.read(start, end - start).lastIndexOf(LF)
    if (found !== -1) return start + found + 1
    end = start
  }
  return 0
}

function lineEnd(file: OpenedFile, at: number): number {
  for (let start = at; start < file.size; start += BLOCK) {
    const found = file.read(start, Math.min(BLOCK, file.size - start)).indexOf(LF)
    if (found !== -1) return start + found + 1
  }
  return file.size
}
