// File names are bytes on most systems, and keys are text. A name that is valid UTF-8 is its own text. In any other one, each byte that
// cannot be decoded becomes U+FFFD and two hexadecimal digits (`caf\uFFFDE9.jsonl`): text that can be printed, stored as UTF-8 or
// JSON, and typed again. Only bytes from 0x80 on are ever written so: no escape can become a separator or a NUL.
//
// No two names share a text: where a name holds a U+FFFD of its own in front of what would read as such digits, that character is
// escaped as well, byte by byte.

const REPLACEMENT = "\uFFFD"
const ESCAPE = /\uFFFD([89A-F][0-9A-F])/g

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = /* @__PURE__ */ new TextEncoder()

/** The text of a name or a path that the system has as bytes: the same text never stands for other bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  const text = decoded(bytes)
  return text === undefined || text.includes(REPLACEMENT) ? escaped(bytes) : text
}

/** The bytes that the text stands for, where they are not its UTF-8. */
export function bytesOfText(text: string): Uint8Array | undefined {
  if (text.search(ESCAPE) === -1) return undefined
  // With the group in the pattern, every second part is the digits of a byte.
  const parts = text.split(ESCAPE).map((part, index) => (index % 2 === 0 ? encoder.encode(part) : [parseInt(part, 16)]))
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

function escaped(bytes: Uint8Array): string {
  let text = ""
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] as number)
    const character = decoded(bytes.subarray(at, at + length))
    const isKept = character !== undefined && (character !== REPLACEMENT || !isDigits(bytes, at + length))
    const end = at + (character === undefined ? 1 : length)
    if (isKept) text += character
    else for (const byte of bytes.subarray(at, end)) text += REPLACEMENT + byte.toString(16).toUpperCase()
    at = end
  }
  return text
}

/** Undefined where the bytes are not valid UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** How many bytes a character takes that begins with this one. */
function sequenceLength(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** Whether two of the digits stand there that make an escape of a U+FFFD in front of them. */
function isDigits(bytes: Uint8Array, at: number): boolean {
  return /^[89A-F][0-9A-F]$/.test(String.fromCharCode(...bytes.subarray(at, at + 2)))
}
