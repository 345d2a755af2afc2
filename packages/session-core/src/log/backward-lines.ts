import { HeldBytes } from "./held-bytes.js"
import { LONGEST_LINE } from "./line.js"

const LF = 0x0a
const CR = 0x0d

/** A line of which the number is not known, since the file is read from its end. */
export interface BackwardLine {
  readonly offset: number
  /** The content, without its line ending. */
  readonly bytes: Uint8Array
  readonly terminated: boolean
}

/** Lines that lie side by side in memory. */
export interface BackwardRun {
  /** Of the bytes, in what is stored. */
  readonly offset: number
  readonly bytes: Uint8Array
  /** Line `i` reaches from behind `ends[i - 1]` to `ends[i]`; the first number is the end of what stands before them. */
  readonly ends: readonly number[]
  readonly terminated: boolean
}

/** The line that reaches to `run.ends[index]`. */
export function lineOfRun({ offset, bytes, ends, terminated }: BackwardRun, index: number): BackwardLine {
  const from = (ends[index - 1] as number) + 1
  const to = ends[index] as number
  const cut = terminated && to > from && bytes[to - 1] === CR ? to - 1 : to
  return { offset: offset + from, bytes: bytes.subarray(from, cut), terminated }
}

/** A part of what is stored. */
interface Block {
  readonly offset: number
  readonly bytes: Uint8Array
}

/**
 * Cuts blocks, which come from the last to the first, into lines: those of a block at a time. A line that spans blocks is joined
 * once. The bytes of a run are good until the next one is asked for.
 */
export class BackwardSplitter {
  readonly #held = new HeldBytes(true)
  #isEmpty = true
  /** Whether a line end was met: it stands behind what is held. */
  #isTerminated = false

  /** Whether a line was met that is too long to be held: only reading forwards can go on behind it. */
  get isLost(): boolean {
    return this.#held.length > LONGEST_LINE
  }

  *push({ offset, bytes }: Block): Generator<BackwardRun> {
    this.#isEmpty &&= bytes.length === 0
    const ends = lineEnds(bytes)
    const last = ends.at(-1)
    if (last === undefined) {
      this.#held.add(bytes)
      return
    }
    const joined = this.#held.take(bytes.subarray(last + 1))
    // Behind the last line end there is nothing, which is no line.
    if (this.#isTerminated || joined.length > 0) yield asRun(joined, offset + last + 1, this.#isTerminated)
    this.#isTerminated = true
    if (ends.length > 1) yield { offset, bytes, ends, terminated: true }
    this.#held.add(bytes.subarray(0, ends[0]))
  }

  *finish(): Generator<BackwardRun> {
    if (!this.#isEmpty) yield asRun(this.#held.take(new Uint8Array()), 0, this.#isTerminated)
  }
}

/** Found forwards, where the runtime searches many times faster than backwards. */
function lineEnds(block: Uint8Array): number[] {
  const ends: number[] = []
  for (let at = block.indexOf(LF); at !== -1; at = block.indexOf(LF, at + 1)) ends.push(at)
  return ends
}

function asRun(bytes: Uint8Array, offset: number, terminated: boolean): BackwardRun {
  return { offset, bytes, ends: [-1, bytes.length], terminated }
}
