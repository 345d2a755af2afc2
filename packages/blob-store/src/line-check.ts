import type { Diagnostic } from "@treelog/session-core"
import { type Line, LineSplitter, parseLine } from "@treelog/session-core/adapter"
import { isCutOff } from "./is-cut-off.js"

const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Finds the first line of a session that cannot be read as an entry, holding one line at a time. A line that was cut
 * off does not count: a writer may be about to end it, or died there, and another closed it. What it names in full is
 * found in its bytes, and an entry whose name for a blob was cut cannot be read.
 */
export class LineCheck {
  fault: Diagnostic | undefined
  /** The first line that was cut off and closed. */
  cutOff: Diagnostic | undefined
  readonly #lines = new LineSplitter()

  /** The chunk is the caller's again when this returns. */
  push(chunk: Uint8Array): void {
    if (this.fault === undefined) this.#check(this.#lines.push(chunk))
  }

  end(): void {
    if (this.fault === undefined) this.#check(this.#lines.finish())
  }

  #check(lines: Iterable<Line>): void {
    for (const line of lines) {
      const fault = parseLine(line).faults.find(({ kind }) => kind !== "torn-line")
      if (fault && isCutOff(lenient.decode(line.bytes))) this.cutOff ??= fault
      else if (fault) {
        this.fault = fault
        return
      }
    }
  }
}
