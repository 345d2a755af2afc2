import { type Line, LineSplitter } from "@treelog/session-core/adapter"

const LF = 0x0a

/** Splits chunks into lines, and keeps the start of an incomplete one. */
export class WholeLines {
  #splitter = new LineSplitter({ line: 1, offset: 0 })
  #last: { readonly number: number; readonly end: number } = { number: 0, end: 0 }
  #begun: Uint8Array[] = [];

  *push(chunk: Uint8Array): Generator<Line> {
    const end = chunk.lastIndexOf(LF) + 1
    if (end > 0) {
      for (const piece of [...this.#begun, chunk.subarray(0, end)])
        for (const line of this.#splitter.push(piece)) yield this.#noted(line)
      this.#begun = []
    }
    if (end < chunk.length) this.#begun.push(chunk.subarray(end))
  }

  /** The incomplete last line. It is kept until `take`. */
  begun(): Line | undefined {
    if (this.#begun.length === 0) return undefined
    const splitter = new LineSplitter({ line: this.#last.number + 1, offset: this.#last.end })
    for (const piece of this.#begun) [...splitter.push(piece)]
    return [...splitter.finish()][0]
  }

  /** Consumes the incomplete line: what follows is another line. */
  take(line: Line): void {
    this.#noted(line)
    this.#begun = []
    this.#splitter = new LineSplitter({ line: line.number + 1, offset: line.end })
  }

  #noted(line: Line): Line {
    this.#last = { number: line.number, end: line.end }
    return line
  }
}
