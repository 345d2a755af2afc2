import { Buffer } from "node:buffer"
import type { Diagnostic } from "@treelog/session-core"
import { parseLine } from "@treelog/session-core/adapter"
import { isCutOff } from "./is-cut-off.js"

const LF = 0x0a
const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
const BOM = Buffer.from([0xef, 0xbb, 0xbf])
/** More than a string can hold, so that no reader could parse it. Bytes. */
const LONGEST_LINE = 2 ** 29

/**
 * Finds the first line of a session that cannot be read as an entry, holding one line at a time. A line that was cut
 * off is no such fault: a writer may be about to end it, or died there, and another closed it. What it names in full is
 * found in its bytes, and the entry whose name for a blob was cut can be read by nobody.
 */
export class LineCheck {
  fault: Diagnostic | undefined
  /** The first line that was cut off and closed. */
  cutOff: Diagnostic | undefined
  #line = 1
  #offset = 0
  #held: Uint8Array[] = []
  #heldBytes = 0

  /** The chunk is the caller's again when this returns. */
  push(chunk: Uint8Array): void {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1 && this.fault === undefined; at = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, at))
      this.#check(true)
      from = at + 1
    }
    if (this.fault === undefined) this.#hold(chunk.slice(from))
  }

  end(): void {
    if (this.fault === undefined && this.#heldBytes > 0) this.#check(false)
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes <= LONGEST_LINE) return
    this.#held = []
    const message = `Line ${this.#line} is longer than ${LONGEST_LINE} bytes.`
    this.fault = { kind: "line-too-long", line: this.#line, offset: this.#offset, message }
  }

  #check(terminated: boolean): void {
    if (this.fault !== undefined) return
    const whole = this.#held.length === 1 ? this.#held[0] : undefined
    const bytes = whole ?? Buffer.concat(this.#held)
    const end = this.#offset + bytes.length + (terminated ? 1 : 0)
    const start = this.#line === 1 && BOM.equals(bytes.subarray(0, BOM.length)) ? BOM.length : 0
    const line = { number: this.#line, offset: this.#offset + start, bytes: bytes.subarray(start), end, terminated }
    const fault = parseLine(line).faults.find(({ kind }) => kind !== "torn-line")
    if (fault && isCutOff(lenient.decode(line.bytes))) this.cutOff ??= fault
    else this.fault = fault
    this.#line += 1
    this.#offset = end
    this.#held = []
    this.#heldBytes = 0
  }
}
