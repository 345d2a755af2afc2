import { TreelogError } from "../../errors.js"
import type { StorageStat } from "../../ports/session-source.js"
import { type RangeReader, storedChunks } from "../../session/reader/read-stored.js"

/** A stored session in the state that was seen. */
export interface StoredObject {
  readonly storage: RangeReader
  readonly key: string
  readonly stat: StorageStat
}

/** The bytes `[from, to)`, all of them. @throws SessionChangedError when the object was replaced or truncated since it was seen */
export async function* rangeOf({ storage, key, stat }: StoredObject, from: number, to: number) {
  let at = from
  for await (const chunk of storedChunks(storage, key, { from, to, identity: stat.identity })) {
    at += chunk.length
    yield chunk
  }
  if (at >= to) return
  const message = `${key} was truncated while it was read: it ends at byte ${at}. Read it again.`
  throw new TreelogError("SessionChangedError", message, { key, change: "shrunk" })
}

/**
 * Whether two objects have the same bytes between two offsets.
 * @param span the offsets in `one`, and how much further those bytes stand in `other`
 * @param onRead called with the bytes of `one` that are about to be compared
 */
export async function areAlike(
  one: StoredObject,
  other: StoredObject,
  { from, to, shift }: { readonly from: number; readonly to: number; readonly shift: number },
  onRead: (chunk: Uint8Array) => Promise<void>,
): Promise<boolean> {
  let at = from + shift
  for await (const chunk of rangeOf(one, from, to)) {
    await onRead(chunk)
    let offset = 0
    for await (const part of rangeOf(other, at, at + chunk.length))
      for (const byte of part) if (byte !== chunk[offset++]) return false
    at += chunk.length
  }
  return true
}
