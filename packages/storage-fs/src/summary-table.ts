import { nodeZlib } from "./lazy-modules.js"
import { asciiJson, parsed, ROW_BYTES, StoredRow, type SummaryRow, type TableBytes, writeRow } from "./summary-row.js"

/** The first line of a cache file says what it is, and how the rest sums up. */
interface Heading {
  readonly treelog: "summaries"
  readonly version: number
  readonly folder: string
  readonly rows: number
  readonly crc: number
}

/** The first part of the rest, as JSON: what is the same for many rows, and the name of each. */
interface Names {
  readonly cwds: readonly (string | null)[]
  readonly names: readonly string[]
}

const VERSION = 2
/** In front of the names stands how many bytes they take. */
const LENGTH_BYTES = 4

/**
 * The summaries of the sessions in a folder, by file name, as a cache file: heading, names, then the numbers of each row, and then
 * the texts of each. A list needs the numbers of all rows, and the texts of those alone that it shows.
 */
export function formatTable(folder: string, rows: ReadonlyMap<string, SummaryRow>): Buffer {
  const cwds = [...new Set([...rows.values()].map(({ state }) => state.cwd))]
  const names = asciiJson({ cwds: cwds.map((cwd) => cwd ?? null), names: [...rows.keys()] } satisfies Names)
  const numbers = Buffer.alloc(LENGTH_BYTES + rows.size * ROW_BYTES)
  const view = viewOf(numbers)
  const texts: Buffer[] = []
  let textsAt = names.length + numbers.length
  view.setUint32(0, names.length, true)
  let at = LENGTH_BYTES
  for (const row of rows.values()) {
    const [info, resume] = textsOf(row)
    const [infoLength, resumeLength] = [info.length, resume.length]
    writeRow(view, at, row, { infoAt: textsAt, infoLength, resumeLength, cwd: cwds.indexOf(row.state.cwd) })
    texts.push(info, resume)
    textsAt += infoLength + resumeLength
    at += ROW_BYTES
  }
  const body = Buffer.concat([numbers.subarray(0, LENGTH_BYTES), names, numbers.subarray(LENGTH_BYTES), ...texts])
  const heading: Heading = {
    treelog: "summaries",
    version: VERSION,
    folder,
    rows: rows.size,
    crc: nodeZlib().crc32(body),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(heading)}\n`), body])
}

/** What was read from a cache file goes into the next one as it is. */
function textsOf({ state }: SummaryRow): [info: Buffer, resume: Buffer] {
  return state instanceof StoredRow
    ? [state.infoBytes, state.resumeBytes]
    : [asciiJson(state.info), asciiJson(state.resume)]
}

/** Undefined for what is no cache file of that folder, is of another version, or is not as it was written. */
export function parseTable(folder: string, file: Buffer): Map<string, SummaryRow> | undefined {
  const end = file.indexOf("\n")
  const heading = parseHeading(file.subarray(0, Math.max(0, end)))
  const bytes = file.subarray(end + 1)
  if (heading?.version !== VERSION || heading.folder !== folder || heading.crc !== nodeZlib().crc32(bytes))
    return undefined
  const view = viewOf(bytes)
  if (bytes.length < LENGTH_BYTES + heading.rows * ROW_BYTES) return undefined
  let at = LENGTH_BYTES + view.getUint32(0, true)
  const { cwds, names } = parsed(bytes.subarray(LENGTH_BYTES, at)) as Names
  const table: TableBytes = { bytes, view, cwds: cwds.map((cwd) => cwd ?? undefined) }
  const rows = new Map<string, SummaryRow>()
  for (const name of names) {
    rows.set(name, new StoredRow(table, at))
    at += ROW_BYTES
  }
  return rows
}

/** The folder that a cache file is about; undefined where it cannot be read. */
export function folderOfTable(file: Buffer): string | undefined {
  return parseHeading(file.subarray(0, Math.max(0, file.indexOf("\n"))))?.folder
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

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
