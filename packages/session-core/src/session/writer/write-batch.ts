import { isTreelogError } from "../../errors.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import { joinBytes } from "../../log/join-bytes.js"
import type { Place } from "../../log/line.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { StoredTail } from "../reader/stored-tail.js"
import type { Batch } from "./line-queue.js"
import type { WriterHost } from "./writer-host.js"

/** Appends to what is stored. What others appended meanwhile is taken in first, and `tail` is then the new end. */
export async function writeBatch(lease: Lease, tail: StoredTail, whole: Batch, host: WriterHost): Promise<void> {
  for (;;) {
    const batch = withoutStored(whole, host)
    if (batch.entries.length === 0 && whole.entries.length > 0) return
    const { size, lines: before, terminated } = tail.end
    const opening = size === 0 ? encodeLine(host.header()) : encodeText(terminated ? "" : "\n")
    try {
      const bytes = joinBytes(opening.length > 0 ? [opening, ...batch.lines.pieces] : batch.lines.pieces)
      const stat = await lease.append(bytes, tail.stat)
      if (stat.size === size + bytes.length) {
        const headerLines = size === 0 ? 1 : 0
        tail.wrote(stat, batch.entries.length + headerLines)
        reportPlaces(host, batch, { offset: size + opening.length, line: before + headerLines + 1 })
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

/** What is stored of a batch already, by an append after which reading failed, stands at its beginning. */
function withoutStored(batch: Batch, host: WriterHost): Batch {
  const { entries, lines } = batch
  const found = entries.findIndex((entry) => !host.isPlaced(entry))
  const first = found === -1 ? entries.length : found
  if (first === 0) return batch
  const offset = lines.lengths.slice(0, first).reduce((sum, length) => sum + length, 0)
  const pieces = [joinBytes(lines.pieces).subarray(offset)]
  return { entries: entries.slice(first), lines: { pieces, lengths: lines.lengths.slice(first) } }
}

/**
 * The same where nothing is stored yet: makes the session, with its header first.
 * @param artifactsFrom the session whose artifacts are copied along
 * @returns its end, and where the lines of the batch stand
 */
export async function writeFirstBatch(
  lease: Lease,
  storage: SessionStorage,
  batch: Batch,
  headerFields: object,
  artifactsFrom?: string,
): Promise<{ readonly tail: StoredTail; readonly places: readonly Place[] }> {
  const header = encodeLine(headerFields)
  const options = artifactsFrom === undefined ? {} : { artifactsFrom }
  const stat = await lease.create([header, ...batch.lines.pieces], options)
  const end = { size: stat.size, lines: batch.entries.length + 1, terminated: true }
  const places = placesOf(batch, { offset: header.length, line: 2 })
  return { tail: new StoredTail(storage, lease.key, stat, end), places }
}

function reportPlaces(host: WriterHost, batch: Batch, first: { readonly offset: number; readonly line: number }): void {
  const places = placesOf(batch, first)
  batch.entries.forEach((entry, index) => {
    host.placed(entry, places[index] as Place)
  })
}

function placesOf({ lines: { lengths } }: Batch, first: { readonly offset: number; readonly line: number }): Place[] {
  let { offset, line } = first
  return lengths.map((length) => {
    const place = { line, offset, length: length - 1 }
    offset += length
    line += 1
    return place
  })
}
