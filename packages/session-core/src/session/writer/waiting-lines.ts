import type { SessionEntry } from "../../entry/entry.js"
import { encodeText, formatRecord } from "../../log/format-line.js"
import type { Place } from "../../log/line.js"
import type { LogEnd } from "../../log/session-log.js"
import type { WaitingLine } from "../session-state.js"

/** The end of a session of which nothing is stored. */
export const NOTHING_STORED: LogEnd = { size: 0, lines: 0, terminated: true }

/** The line of an entry, as it is in memory now. @throws UnserializableEntryError */
export function waitingLine(entry: SessionEntry, text = formatRecord(entry), isReady = false): WaitingLine {
  return { entry, text, isReady }
}

/** Lines as bytes, and where they will stand. */
export interface EncodedLines {
  readonly chunks: readonly Uint8Array[]
  readonly places: readonly Place[]
  readonly end: LogEnd
}

/** So much text is encoded at once: many short lines cost less together, and no string gets too long. UTF-16 units. */
const AT_ONCE = 1_048_576

/** @param header the line to begin with where nothing is stored */
export function encodeLines(lines: readonly WaitingLine[], behind: LogEnd, header?: Uint8Array): EncodedLines {
  const chunks = header ? [header] : behind.terminated ? [] : [encodeText("\n")]
  const places: Place[] = []
  let line = behind.lines + (header ? 1 : 0)
  let offset = behind.size + (chunks[0]?.length ?? 0)
  for (let from = 0, to = 0; from < lines.length; from = to) {
    let text = ""
    do text += `${lines[to++]?.text}\n`
    while (text.length + (lines[to]?.text.length ?? AT_ONCE) < AT_ONCE)
    const bytes = encodeText(text)
    chunks.push(bytes)
    // The lines of a text of ASCII alone are as long in bytes: only others are searched for.
    const isAscii = bytes.length === text.length
    for (let at = 0, index = from; index < to; index++) {
      const isLast = index === to - 1
      const end = isLast ? bytes.length - 1 : isAscii ? at + (lines[index]?.text.length ?? 0) : bytes.indexOf(0x0a, at)
      places.push({ line: ++line, offset: offset + at, length: end - at })
      at = end + 1
    }
    offset += bytes.length
  }
  return { chunks, places, end: { size: offset, lines: line, terminated: true } }
}
