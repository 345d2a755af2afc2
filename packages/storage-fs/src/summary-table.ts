import { crc32 } from "node:zlib"
import type { SummaryState } from "@treelog/session-core"

/** The first line of a cache file says what it is, and how the rest sums up; the rest is one JSON array. */
interface Heading {
  readonly treelog: "summaries"
  readonly version: number
  readonly folder: string
  readonly crc: number
}

const VERSION = 1

/** What is kept of one session. */
export interface SummaryRow {
  readonly size: number
  readonly modified: number
  readonly identity: string
  /** Its file was left alone for long enough that a later change cannot have the same time. */
  readonly isSettled: boolean
  readonly state: SummaryState
}

type StoredRow = readonly [name: string, size: number, modified: number, identity: string, settled: 0 | 1, SummaryState]

/** The summaries of the sessions in a folder, by file name, as the text of a cache file. */
export function formatTable(folder: string, rows: ReadonlyMap<string, SummaryRow>): Buffer {
  const stored = [...rows].map(([name, { size, modified, identity, isSettled, state }]): StoredRow => {
    return [name, size, modified, identity, isSettled ? 1 : 0, state]
  })
  const body = Buffer.from(inAscii(JSON.stringify(stored)), "latin1")
  const heading: Heading = { treelog: "summaries", version: VERSION, folder, crc: crc32(body) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(heading)}\n`), body])
}

/** Undefined for what is no cache file of that folder, is of another version, or is not as it was written. */
export function parseTable(folder: string, bytes: Buffer): Map<string, SummaryRow> | undefined {
  const end = bytes.indexOf("\n")
  const heading = parseHeading(bytes.subarray(0, Math.max(0, end)))
  const body = bytes.subarray(end + 1)
  if (heading?.version !== VERSION || heading.folder !== folder || heading.crc !== crc32(body)) return undefined
  const stored = JSON.parse(body.toString("latin1")) as StoredRow[]
  return new Map(
    stored.map(([name, size, modified, identity, settled, state]) => {
      return [name, { size, modified, identity, isSettled: settled === 1, state }]
    }),
  )
}

/** The folder that a cache file is about; undefined where it does not tell. */
export function folderOfTable(bytes: Buffer): string | undefined {
  return parseHeading(bytes.subarray(0, Math.max(0, bytes.indexOf("\n"))))?.folder
}

function parseHeading(line: Buffer): Heading | undefined {
  try {
    const heading = JSON.parse(line.toString()) as Heading | null
    return heading?.treelog === "summaries" && typeof heading.folder === "string" ? heading : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Text of ASCII alone is read in half the time. */
function inAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
