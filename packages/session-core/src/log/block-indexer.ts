import { messageHead } from "./message-head.js"
import { type SessionIndex, SessionIndexer } from "./session-index.js"
import { LineCutter } from "./split-lines.js"

const LF = 0x0a

/**
 * Makes the index of a session as its bytes come by, a block at a time. It is that of a `SessionIndexer` to which each line was
 * given; but nothing is made of a line that is a message as nearly all are written, apart from its head.
 */
export class BlockIndexer {
  readonly #lines = new LineCutter()
  readonly #indexer: SessionIndexer

  /** @param key and isCareful as for the `SessionIndexer` */
  constructor(key: string, isCareful = false) {
    this.#indexer = new SessionIndexer(key, isCareful)
  }

  /** False when the session is of another version: there is nothing to be had here. The block may change afterwards. */
  push(block: Uint8Array): boolean {
    let from = 0
    for (let to = block.indexOf(LF); to !== -1; to = block.indexOf(LF, from)) {
      if (!this.#pass(block, from, to) && !this.#indexer.push(this.#lines.cut(block.subarray(from, to), true)))
        return false
      from = to + 1
    }
    this.#lines.hold(block.subarray(from))
    return true
  }

  /** Undefined also when the session is of another version. @throws InvalidSessionError when there were bytes, but no header */
  finish(): SessionIndex | undefined {
    const isSame = !this.#lines.holds || this.#indexer.push(this.#lines.cut(new Uint8Array(), false))
    return isSame ? this.#indexer.finish() : undefined
  }

  #pass(block: Uint8Array, from: number, to: number): boolean {
    const lines = this.#lines
    if (lines.holds || !this.#indexer.isPassing) return false
    const head = messageHead(block, from, to)
    if (!head) return false
    this.#indexer.pass(head, lines.number, lines.offset, to - from)
    lines.pass(to - from)
    return true
  }
}
