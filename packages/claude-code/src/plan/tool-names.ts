import { Positions } from "../link/positions.js"
import { NameTable } from "../source/name-table.js"
import type { SourceRecord } from "../source/source-record.js"

/** The tools that calls name. */
export class ToolNames {
  /** By the number of a call. */
  readonly #numbers: Positions
  readonly #names = new NameTable()

  constructor(records: readonly SourceRecord[]) {
    const replies = records.filter(({ role }) => role === "reply")
    this.#numbers = new Positions(replies.reduce((sum, { callCount }) => sum + callCount, 0))
    for (const reply of replies)
      for (let order = 0; order < reply.callCount; order++) {
        const call = reply.callAt(order)
        if (this.#numbers.get(call) === undefined)
          this.#numbers.set(call, this.#names.numberOf(reply.callNameAt(order)))
      }
  }

  /** Empty where no call has the number. */
  nameOf(call: number): string {
    return (call !== 0 && this.#names.textOf(this.#numbers.get(call) ?? 0)) || ""
  }
}
