import type { LogRecord } from "./parse-line.js"
import { LogReader, type SessionLog } from "./session-log.js"
import { linesOf } from "./split-lines.js"

/** `readLog` of bytes that are at hand. @throws InvalidSessionError */
export function readLogBytes(bytes: Uint8Array, key: string): SessionLog | undefined {
  const reader = new LogReader(key)
  const records: LogRecord[] = []
  for (const line of linesOf(bytes)) for (const record of reader.push(line)) records.push(record)
  const outline = reader.finish()
  return outline && { ...outline, records }
}
