import { decodeText } from "./format-line.js"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

/** A member of a JSON object, as it stands in its text. */
export interface JsonMember {
  readonly key: string
  /** The key with its quotes. */
  readonly keyBytes: Uint8Array
  readonly valueBytes: Uint8Array
}

/** The members of a JSON object, in the order of its text; keys that stand there twice come twice. The text must be valid. */
export function jsonMembers(object: Uint8Array): JsonMember[] {
  return jsonItems(object).map((member) => {
    const keyEnd = endOfString(member, 0)
    const keyBytes = member.subarray(0, keyEnd)
    let at = keyEnd
    while (member[at] !== COLON) at += 1
    return {
      key: JSON.parse(decodeText(keyBytes)) as string,
      keyBytes,
      valueBytes: trimmed(member.subarray(at + 1)),
    }
  })
}

/** What stands between the commas of a JSON object or array, at its own level. The text must be valid. */
export function jsonItems(container: Uint8Array): Uint8Array[] {
  const inside = trimmed(trimmed(container).subarray(1, -1))
  if (inside.length === 0) return []
  const items: Uint8Array[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < inside.length; at++) {
    const byte = inside[at] ?? 0
    if (byte === QUOTE) at = endOfString(inside, at) - 1
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    else if (byte === COMMA && depth === 0) {
      items.push(trimmed(inside.subarray(from, at)))
      from = at + 1
    }
  }
  items.push(trimmed(inside.subarray(from)))
  return items
}

/** The index behind the quote that closes the string at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at + 1
  }
  return bytes.length
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let from = 0
  let to = bytes.length
  while (from < to && (bytes[from] ?? 0) <= 0x20) from += 1
  while (to > from && (bytes[to - 1] ?? 0) <= 0x20) to -= 1
  return bytes.subarray(from, to)
}
