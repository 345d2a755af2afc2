import { basename } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { cleanLine } from "./clean-text.js"
import { folderName } from "./folder-name.js"
import { sizeText } from "./size.js"
import type { Paint, Style } from "./style.js"
import { type Column, tableLines } from "./table.js"
import { ageOf } from "./time.js"

export interface SessionTableOptions {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  /** What is shown of an id. */
  readonly shortId: (id: string) => string
  /** Sessions of several folders: say whose each is. */
  readonly withCwd: boolean
  readonly withSize: boolean
  readonly home: string | undefined
}

const STATUS_PAINTS: Readonly<Record<string, Paint>> = {
  error: "red",
  aborted: "yellow",
  interrupted: "yellow",
  pending: "cyan",
}

/** More than fits is never cleaned: messages can be long. */
const UNITS_A_COLUMN = 8

/** One line a session. What cannot be read is a row too, with its error. */
export function sessionTable(sessions: readonly SessionInfo[], options: SessionTableOptions): string[] {
  return tableLines(sessionColumns(options), sessions, options.style)
}

export function sessionColumns(options: SessionTableOptions): Column<SessionInfo>[] {
  const { style, now, shortId, withCwd, withSize, home } = options
  const most = style.width === undefined ? undefined : style.width * UNITS_A_COLUMN
  const red = (row: SessionInfo, text: string): string => (row.error ? style.paint("red", text) : text)
  const columns: Column<SessionInfo>[] = [
    {
      title: "ID",
      cell: ({ id, path }) => cleanLine(shortId(id) || basename(path)),
      paint: (_, text) => style.paint("cyan", text),
    },
    { title: "AGE", cell: ({ modified }) => ageOf(modified, now), align: "right" },
    ...(withSize ? [{ title: "SIZE", cell: ({ size }: SessionInfo) => sizeText(size), align: "right" as const }] : []),
    { title: "MSGS", cell: ({ messageCount, error }) => (error ? "-" : String(messageCount)), align: "right" },
    {
      title: "STATUS",
      cell: ({ status, error }) => (error ? "! broken" : status),
      paint: (row, text) => (row.error ? red(row, text) : style.paint(STATUS_PAINTS[row.status] ?? "dim", text)),
    },
  ]
  if (withCwd) columns.push({ title: "FOLDER", cell: ({ cwd }) => folderName(cwd, home), most: 28 })
  columns.push({
    title: "NAME OR FIRST MESSAGE",
    cell: ({ path, name, firstMessage, error }) =>
      cleanLine(error ? error.message.replaceAll(path, "the file") : (name ?? firstMessage).slice(0, most)),
    paint: (row, text) => (row.name && !row.error ? style.paint("bold", text) : red(row, text)),
  })
  return columns
}
