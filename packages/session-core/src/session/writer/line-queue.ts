import type { SessionEntry } from "../../entry/entry.js"
import { encodeText } from "../../log/format-line.js"

/** Lines as bytes. */
export interface EncodedLines {
  /** All lines, one after the other. */
  readonly pieces: readonly Uint8Array[]
  /** Bytes of each line, LF included. */
  readonly lengths: readonly number[]
}

/** Entries that are in memory, and their lines, which are not in the storage yet. */
export interface Batch {
  readonly entries: readonly SessionEntry[]
  readonly lines: EncodedLines
}

interface WaitingLine {
  readonly entry: SessionEntry
  /** Without its LF. */
  text: string
  /** Whether the text is written as it is. Any other line is prepared first. */
  isPlain: boolean
}

/** What waits to be written, in the order in which it was appended. */
export class LineQueue {
  #lines: WaitingLine[] = []

  /** Entries. */
  get size(): number {
    return this.#lines.length
  }

  /** @param text the line without its LF */
  add(entry: SessionEntry, text: string, isPlain: boolean): void {
    this.#lines.push({ entry, text, isPlain })
  }

  /** Inserts another queue's lines in front. */
  putFirst(lines: LineQueue): void {
    this.#lines = [...lines.#lines, ...this.#lines]
  }

  /** Adds another queue's lines at the end. */
  putLast(lines: LineQueue): void {
    this.#lines = [...this.#lines, ...lines.#lines]
  }

  /**
   * All that waits now, as it is written. It stays in the queue until it is dropped; what is added meanwhile comes after it.
   * @param prepare makes a line ready, LF included; when it fails, what is ready stays ready
   */
  async batch(prepare: (line: string) => Promise<string>): Promise<Batch> {
    const lines = [...this.#lines]
    for (const line of lines) {
      if (line.isPlain) continue
      line.text = (await prepare(`${line.text}\n`)).slice(0, -1)
      line.isPlain = true
    }
    return { entries: lines.map(({ entry }) => entry), lines: encodeLines(lines.map(({ text }) => text)) }
  }

  /** Removes the batch that was taken last: it is stored. */
  drop(batch: Batch): void {
    this.#lines = this.#lines.slice(batch.entries.length)
  }
}

/** So much text is encoded at once: far below the longest string. UTF-16 units. */
const PIECE = 1024 * 1024

const LF = /* @__PURE__ */ Uint8Array.of(0x0a)

function encodeLines(texts: readonly string[]): EncodedLines {
  const pieces: Uint8Array[] = []
  const lengths: number[] = []
  for (let from = 0; from < texts.length; ) {
    let size = 0
    let to = from
    do size += (texts[to++] as string).length
    while (to < texts.length && size + (texts[to] as string).length < PIECE)
    const together = texts.slice(from, to)
    from = to
    if (size > PIECE) {
      // One long line. With its LF it would be copied once more.
      const bytes = encodeText(together[0] as string)
      pieces.push(bytes, LF)
      lengths.push(bytes.length + 1)
      continue
    }
    const bytes = encodeText(`${together.join("\n")}\n`)
    pieces.push(bytes)
    const isAscii = bytes.length === size + together.length
    for (const length of isAscii ? together.map((text) => text.length + 1) : lineLengths(bytes)) lengths.push(length)
  }
  return { pieces, lengths }
}

function* lineLengths(bytes: Uint8Array): Generator<number> {
  let from = 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, from)) {
    yield at + 1 - from
    from = at + 1
  }
}
