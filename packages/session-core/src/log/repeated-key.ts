import { decodeText } from "./format-line.js"

// Of several members of an object with the same key, the last counts, as JSON.parse has it (FORMAT.md, section 2). Readers that
// read only the ends of a line check here whether the rest may repeat one of the keys that matter; if so, they parse the line.

const QUOTE = 0x22
const COMMA = 0x2c

/**
 * Finds a member with one of the keys that may repeat an earlier one. A key with an escape counts as any of them. The first key of
 * an object within the line repeats nothing.
 * @param keys and except are regular expressions; a member that matches `except` does not count
 */
export function memberPattern(keys: string, except?: string): RegExp {
  const other = except === undefined ? "" : `(?!${except})`
  return new RegExp(String.raw`"(?<![:,[]\{")${other}(?:${keys}|[A-Za-z]*\\u[^"]*)"[ \t\r]*:`)
}

/** Whether the pattern finds a member in `[from, to)`. */
export function holdsMember(pattern: RegExp, bytes: Uint8Array, from: number, to: number): boolean {
  return from < to && pattern.test(decodeText(bytes.subarray(from, to)))
}

/**
 * Where, in a range that begins in a value which `closer` ends, a further member of its object can begin at the earliest: behind such
 * a byte that is followed by a comma and a string. `to` where there is none. Most values are skipped at the speed of one search.
 */
export function nextMember(bytes: Uint8Array, from: number, to: number, closer: number): number {
  for (let at = bytes.indexOf(closer, from); at !== -1 && at < to; at = bytes.indexOf(closer, at + 1)) {
    const comma = behindSpace(bytes, at + 1)
    if (bytes[comma] === COMMA && bytes[behindSpace(bytes, comma + 1)] === QUOTE) return at + 1
  }
  return to
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at += 1
  return at
}
