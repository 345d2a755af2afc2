import type { SessionHeader } from "../../entry/entry.js"
import { joinBytes } from "../../log/bytes.js"
import type { LogOutline } from "../../log/session-log.js"
import { spliceLine } from "../../log/splice-line.js"
import type { RangeReader } from "../../session/reader/read-stored.js"
import type { StoredObject } from "./stored-range.js"

/** A stored session as it is with some other fields in its header. All other bytes are read as they are stored. */
export async function withHeader(
  { storage, key, stat }: StoredObject,
  { header, headerPlace: { offset, length } }: LogOutline,
  changed: Partial<SessionHeader>,
): Promise<StoredObject> {
  const raw = await storage.readRange(key, offset, length, stat.identity)
  const line = spliceLine(raw, header, { ...header, ...changed })
  const size = stat.size - length + line.length
  return { storage: new SplicedReader(storage, { offset, length, line }), key, stat: { ...stat, size } }
}

/** Reads what is stored with other bytes in the place of a range. */
class SplicedReader implements RangeReader {
  readonly #stored: RangeReader
  readonly #edit: { readonly offset: number; readonly length: number; readonly line: Uint8Array }

  constructor(stored: RangeReader, edit: { offset: number; length: number; line: Uint8Array }) {
    this.#stored = stored
    this.#edit = edit
  }

  async readRange(key: string, from: number, wanted: number, identity?: string): Promise<Uint8Array> {
    const { offset, length, line } = this.#edit
    const to = from + wanted
    const end = offset + line.length
    const stored = async (at: number, until: number): Promise<Uint8Array[]> =>
      until > at ? [await this.#stored.readRange(key, at, until - at, identity)] : []
    return joinBytes([
      ...(await stored(from, Math.min(to, offset))),
      line.subarray(Math.max(0, from - offset), Math.max(0, to - offset)),
      ...(await stored(Math.max(from, end) - line.length + length, to - line.length + length)),
    ])
  }
}
