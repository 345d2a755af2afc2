import { isTreelogError } from "../../errors.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import { joinBytes } from "../../log/join-bytes.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { StoredTail } from "../stored/stored-tail.js"
import type { Batch } from "./line-queue.js"
import type { WriterHost } from "./writer-host.js"

/** Appends to what is stored. What others appended meanwhile is taken in first, and `tail` is then the new end. */
export async function writeBatch(lease: Lease, tail: StoredTail, batch: Batch, host: WriterHost): Promise<void> {
  for (;;) {
    const { size, lines: before, terminated } = tail.end
    const opening = size === 0 ? encodeLine(host.header()) : encodeText(terminated ? "" : "\n")
    try {
      const bytes = joinBytes(opening.length > 0 ? [opening, ...batch.lines.pieces] : batch.lines.pieces)
      const stat = await lease.append(bytes, tail.stat)
      if (stat.size === size + bytes.length) {
        const headerLines = size === 0 ? 1 : 0
        tail.wrote(stat, batch.entries.length + headerLines)
        tellPlaces(host, batch, { offset: size + opening.length, line: before + headerLines + 1 })
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
  batch: Batch,
  host: WriterHost,
): Promise<StoredTail> {
  const header = encodeLine(host.header())
  const stat = await lease.create([header, ...batch.lines.pieces])
  tellPlaces(host, batch, { offset: header.length, line: 2 })
  return new StoredTail(storage, lease.key, stat, {
    size: stat.size,
    lines: batch.entries.length + 1,
    terminated: true,
  })
}

function tellPlaces(
  host: WriterHost,
  { entries, lines: { lengths } }: Batch,
  first: { readonly offset: number; readonly line: number },
): void {
  let { offset, line } = first
  entries.forEach((entry, index) => {
    const length = lengths[index] ?? 0
    host.placed(entry, { line, offset, length: length - 1 })
    offset += length
    line += 1
  })
}
