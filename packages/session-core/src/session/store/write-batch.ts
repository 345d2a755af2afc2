import type { SessionEntry } from "../../entry/entry.js"
import { isTreelogError } from "../../errors.js"
import { type EncodedLines, encodeLines } from "../../log/encode-lines.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import { joinBytes } from "../../log/join-bytes.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { StoredTail } from "../stored/stored-tail.js"
import type { WriterHost } from "./writer-host.js"

/** An entry that is in memory, and its line, which is not in the storage yet. */
export interface QueuedLine {
  readonly entry: SessionEntry
  /** The line as it was appended, until it is ready: then as it is written. */
  text: string
  ready: boolean
}

/** Appends to what is stored. What others appended meanwhile is taken in first, and `tail` is then the new end. */
export async function writeBatch(
  lease: Lease,
  tail: StoredTail,
  batch: readonly QueuedLine[],
  host: WriterHost,
): Promise<void> {
  const lines = encodeBatch(batch)
  for (;;) {
    const { size, lines: before, terminated } = tail.end
    const opening = size === 0 ? encodeLine(host.header()) : encodeText(terminated ? "" : "\n")
    try {
      const bytes = joinBytes([opening, ...lines.pieces])
      const stat = await lease.append(bytes, tail.stat)
      if (stat.size === size + bytes.length) {
        const headerLines = size === 0 ? 1 : 0
        tail.wrote(stat, batch.length + headerLines)
        tellPlaces(host, batch, lines, { offset: size + opening.length, line: before + headerLines + 1 })
      } else {
        // A writer without a lease slipped in at the same moment: the lines themselves say which are whose.
        host.absorb(await tail.read({ whole: true }))
      }
      return
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError") || error.data.change !== "grown") throw error
      host.absorb(await tail.read({ whole: true }))
    }
  }
}

/** The same where nothing is stored yet: makes the session, with its header first, and returns its end. */
export async function writeFirstBatch(
  lease: Lease,
  storage: SessionStorage,
  batch: readonly QueuedLine[],
  host: WriterHost,
): Promise<StoredTail> {
  const lines = encodeBatch(batch)
  const header = encodeLine(host.header())
  const stat = await lease.create([header, ...lines.pieces])
  tellPlaces(host, batch, lines, { offset: header.length, line: 2 })
  return new StoredTail(storage, lease.key, stat, { size: stat.size, lines: batch.length + 1, terminated: true })
}

function encodeBatch(batch: readonly QueuedLine[]): EncodedLines {
  return encodeLines(batch.map(({ text }) => text))
}

function tellPlaces(
  host: WriterHost,
  batch: readonly QueuedLine[],
  { lengths }: EncodedLines,
  first: { readonly offset: number; readonly line: number },
): void {
  let { offset, line } = first
  batch.forEach(({ entry }, index) => {
    const length = lengths[index] ?? 0
    host.placed(entry, { line, offset, length: length - 1 })
    offset += length
    line += 1
  })
}
