import { LONGEST_END, lastLine, linesFrom, type OpenedFile } from "@treelog-internal/agent-files"
import type { FileEnd } from "../end.js"
import type { BoundaryHead } from "../source/record-head.js"
import { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"

/** The end of a file as it is now; undefined where it has no compaction. */
export function endOf(file: OpenedFile): FileEnd | undefined {
  const from = Math.max(0, file.size - LONGEST_END)
  const lastWith = <Found>(
    text: string,
    before: number,
    find: (records: readonly SourceRecord[]) => Found | undefined,
  ) => lastLine(file, { text: `"${text}"`, before, find: (line) => find(new SourceIndex([line]).records) }, from)
  const boundary = lastWith("compact_boundary", file.size, boundaryIn)
  const firstKept = boundary?.found.firstKept
  const first =
    boundary && firstKept !== undefined
      ? lastWith(firstKept, boundary.offset, ([record]) => (record?.uuid === firstKept ? record : undefined))
      : boundary
  if (!first) return undefined
  const { offset } = first
  return {
    index: new SourceIndex(linesFrom(file, offset), (at, length) => file.read(at, length)),
    isBefore: ({ role, time = "" }) => {
      const isSame = (record: SourceRecord): boolean => record.role === role && record.time === time
      return lastWith(time, offset, (records) => records.find(isSame)) !== undefined
    },
  }
}

function boundaryIn([record, ...others]: readonly SourceRecord[]): BoundaryHead | undefined {
  return others.length === 0 && record?.role === "boundary" && !record.isSidechain ? record.boundary : undefined
}
