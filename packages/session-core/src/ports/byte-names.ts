// File names are bytes on most systems, and keys are text. A name in valid UTF-8 is its own text. In any other name, each byte that
// cannot be decoded becomes U+FFFD and two hexadecimal digits (`caf\uFFFDE9.jsonl`): text that can be displayed, stored as UTF-8 or
// JSON, and typed. Only bytes from 0x80 on are escaped, so that no escape can become a separator or a NUL.
//
// Different names have different texts: if a name contains a U+FFFD before two such digits, that character is escaped too, byte by
// byte.

const REPLACEMENT = "\uFFFD"
const ESCAPE = /\uFFFD([89A-F][0-9A-F])/g

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = /* @__PURE__ */ new TextEncoder()

/** Converts the bytes of a file name or path to text, without loss: different bytes give different texts. */
export function textOfBytes(bytes: Uint8Array): string {
  const text = decoded(bytes)
  return text === undefined || text.includes(REPLACEMENT) ? escaped(bytes) : text
}

/** The reverse of `textOfBytes`: the bytes of a name, if they are not the UTF-8 of the text; otherwise undefined. */
export function bytesOfText(text: string): Uint8Array | undefined {
  if (text.search(ESCAPE) === -1) return undefined
  // The pattern has a group, so that every second part is the digits of a byte.
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

/** Undefined if the bytes are not valid UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The number of bytes of a character that begins with this byte. */
function sequenceLength(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** Whether there are two digits here that would make an escape of a U+FFFD before them. */
function isDigits(bytes: Uint8Array, at: number): boolean {
  return /^[89A-F][0-9A-F]$/.test(String.fromCharCode(...bytes.subarray(at, at + 2)))
}
