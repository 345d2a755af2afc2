import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { OpenedFile } from "@treelog-internal/agent-files"
import type { FileEnd } from "../end.js"
import { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"

/** How far from the end a compaction is looked for. What follows it fits into a request, with what the client notes beside it. Bytes. */
const REACH = 64 * 1024 * 1024
/** Bytes that are read at once. */
const BLOCK = 1024 * 1024
const BOUNDARY = Buffer.from('"compact_boundary"')
const LF = 0x0a

/** The end of a file as it is now; undefined where it has no compaction. */
export function endOf(file: OpenedFile): FileEnd | undefined {
  const boundary = lastLine(file, file.size, BOUNDARY, (index) => boundaryIn(index) !== undefined)
  if (!boundary) return undefined
  const { firstKept } = boundaryIn(boundary.index) ?? {}
  const kept =
    firstKept === undefined
      ? boundary
      : lastLine(file, boundary.offset, Buffer.from(`"${firstKept}"`), ({ records }) => records[0]?.uuid === firstKept)
  if (!kept) return undefined
  const isBefore = ({ role, time }: SourceRecord): boolean =>
    lastLine(file, kept.offset, Buffer.from(`"${time}"`), ({ records }) =>
      records.some((record) => record.role === role && record.time === time),
    ) !== undefined
  return { index: indexFrom(file, kept.offset, file.size), isBefore }
}

function boundaryIn({ records }: SourceIndex) {
  const [record, ...others] = records
  return others.length === 0 && record?.role === "boundary" && !record.isSidechain ? record.boundary : undefined
}

interface FoundLine {
  readonly offset: number
  readonly index: SourceIndex
}

/** The last line before a place that has a text and is wanted. */
function lastLine(
  file: OpenedFile,
  before: number,
  text: Buffer,
  isWanted: (index: SourceIndex) => boolean,
): FoundLine | undefined {
  const least = Math.max(0, file.size - REACH)
  for (let end = before; end > least; ) {
    const start = Math.max(least, end - BLOCK)
    // A text may stand across two blocks.
    const at = file.read(start, Math.min(end + text.length - 1, before) - start).lastIndexOf(text)
    if (at === -1) {
      end = start
      continue
    }
    const [from, to] = [lineStart(file, start + at), lineEnd(file, start + at)]
    const index = indexFrom(file, from, to)
    if (isWanted(index)) return { offset: from, index }
    end = from
  }
  return undefined
}

/** The records of whole lines. Their numbers are not those in the file. */
function indexFrom(file: OpenedFile, start: number, end: number): SourceIndex {
  const bytes = file.read(start, end - start)
  const lines: Iterable<Line> = linesOf(bytes, { line: file.size, offset: start })
  return new SourceIndex(lines, (offset, length) => bytes.subarray(offset - start, offset - start + length))
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
