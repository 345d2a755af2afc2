import type { SessionEntry } from "../../entry/entry.js"
import { type EncodedLines, LineEncoder } from "../../log/encode-lines.js"
import { encodeText } from "../../log/format-line.js"

/** Entries that are in memory, and their lines, which are not in the storage yet. */
export interface Batch {
  readonly entries: readonly SessionEntry[]
  readonly lines: EncodedLines
}

/** Lines that are written as they were appended: bytes already, so that no text of them is kept. */
interface PlainPart {
  readonly entries: SessionEntry[]
  readonly encoder: LineEncoder
}

/** A line that has to be made ready before it is written. */
interface WaitingPart {
  readonly entry: SessionEntry
  readonly text: string
}

type Part = Batch | PlainPart | WaitingPart

/** What waits to be written, in the order in which it was appended. */
export class LineQueue {
  #parts: Part[] = []
  #size = 0
  /** The last part, while plain lines can be added to it. */
  #open: PlainPart | undefined

  /** Entries. */
  get size(): number {
    return this.#size
  }

  /**
   * Where there is no memory to encode it, nothing is added.
   * @param text the line without its LF
   */
  add(entry: SessionEntry, text: string, isPlain: boolean): void {
    if (isPlain) this.#addPlain(entry, text)
    else {
      this.#open = undefined
      this.#parts.push({ entry, text })
    }
    this.#size += 1
  }

  #addPlain(entry: SessionEntry, text: string): void {
    if (!this.#open) {
      this.#open = { entries: [], encoder: new LineEncoder() }
      this.#parts.push(this.#open)
    }
    this.#open.encoder.add(text)
    this.#open.entries.push(entry)
  }

  /** Puts another queue's lines in front. */
  putFirst(lines: LineQueue): void {
    this.#parts.unshift(...lines.#parts)
    this.#size += lines.#size
  }

  /** Puts another queue's lines behind. */
  putLast(lines: LineQueue): void {
    this.#parts.push(...lines.#parts)
    this.#open = lines.#open
    this.#size += lines.#size
  }

  /**
   * All that waits now, as it is written. It stays in the queue until it is dropped; what is added meanwhile comes after it.
   * @param prepare makes a line ready, LF included; when it fails, what is ready stays ready
   */
  async batch(prepare: (text: string) => Promise<string>): Promise<Batch> {
    this.#open = undefined
    const count = this.#parts.length
    if (count === 0) return EMPTY
    const ready: Batch[] = []
    for (const [at, part] of this.#parts.slice(0, count).entries()) {
      const batch = "lines" in part ? part : "encoder" in part ? closed(part) : await prepared(part, prepare)
      this.#parts[at] = batch
      ready.push(batch)
    }
    const [only] = ready
    const joined = ready.length === 1 && only ? only : joinBatches(ready)
    this.#parts.splice(0, count, joined)
    return joined
  }

  /** Lets go of the batch that was taken last: it is stored. */
  drop(batch: Batch): void {
    if (batch === EMPTY) return
    this.#parts.shift()
    this.#size -= batch.entries.length
  }
}

const EMPTY: Batch = { entries: [], lines: { pieces: [], lengths: [] } }

function closed({ entries, encoder }: PlainPart): Batch {
  return { entries, lines: encoder.finish() }
}

async function prepared({ entry, text }: WaitingPart, prepare: (text: string) => Promise<string>): Promise<Batch> {
  const bytes = encodeText(await prepare(`${text}\n`))
  return { entries: [entry], lines: { pieces: [bytes], lengths: [bytes.length] } }
}

function joinBatches(batches: readonly Batch[]): Batch {
  return {
    entries: batches.flatMap(({ entries }) => entries),
    lines: {
      pieces: batches.flatMap(({ lines }) => lines.pieces),
      lengths: batches.flatMap(({ lines }) => lines.lengths),
    },
  }
}
