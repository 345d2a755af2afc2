import { byteText } from "./byte-text.js"
import { decodeText } from "./format-line.js"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

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
    // A quote in the key stands for itself only where a backslash precedes it.
    let at = 1
    while (member[at] !== QUOTE) at += member[at] === BACKSLASH ? 2 : 1
    const keyBytes = member.subarray(0, at + 1)
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
  const text = byteText(container)
  const items: Uint8Array[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth++ === 0) from = at + 1
    } else if (depth === 1 && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET)) {
      const item = trimmed(container.subarray(from, at))
      if (code === COMMA || items.length > 0 || item.length > 0) items.push(item)
      if (code !== COMMA) break
      from = at + 1
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
  }
  return items
}

/** The index behind the quote that closes the string at `start`: the next one that no odd number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let from = at
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1
    if ((at - from) % 2 === 0) return at + 1
  }
  return text.length
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let from = 0
  let to = bytes.length
  while (from < to && (bytes[from] ?? 0) <= 0x20) from += 1
  while (to > from && (bytes[to - 1] ?? 0) <= 0x20) to -= 1
  return bytes.subarray(from, to)
}
