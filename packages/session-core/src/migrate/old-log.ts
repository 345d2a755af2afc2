import type { Line } from "../log/line.js"
import type { LogRecord } from "../log/parse-line.js"
import { type LogOutline, LogReader } from "../log/session-log.js"
import { LineSplitter } from "../log/split-lines.js"
import { UsualRecords } from "./usual-record.js"

/** A session of an older version, as far as bringing it to the current one takes. */
export interface OldLog extends LogOutline {
  /** Every object behind the header, in file order. */
  readonly records: readonly OldRecord[]
}

/** A record that had to be parsed; of any other, where its type ends in what is stored: behind that come members that are new. */
export type OldRecord = LogRecord | number

/** Reads a session of an older version as its bytes come by, a block at a time: what `readLog` makes of it, without the bodies. */
export class OldLogReader {
  readonly #log: LogReader
  readonly #lines = new LineSplitter(undefined, { passing: true })
  readonly #usual = new UsualRecords()
  readonly #records: OldRecord[] = []

  /** @param key named in errors */
  constructor(key: string) {
    this.#log = new LogReader(key)
  }

  /** The block may change afterwards. */
  push(block: Uint8Array): void {
    for (const line of this.#lines.push(block)) this.#take(line)
  }

  /** Undefined when there were no bytes. @throws InvalidSessionError when there were bytes, but no header */
  finish(): OldLog | undefined {
    for (const line of this.#lines.finish()) this.#take(line)
    const outline = this.#log.finish()
    return outline && { ...outline, records: this.#records }
  }

  #take(line: Line): void {
    const end = this.#log.header ? this.#usual.endOfType(line.bytes, 0, line.bytes.length) : -1
    if (end === -1) for (const record of this.#log.push(line)) this.#records.push(record)
    else {
      this.#log.pass(line)
      this.#records.push(line.offset + end)
    }
  }
}
