const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const PAD = 0x3d

const VALUES = /* @__PURE__ */ valuesByCode()

/**
 * The bytes of canonical base64, which encoding reproduces exactly; undefined for any other string.
 */
export function decodeCanonicalBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const digits = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let at = 0
  let held = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const value = index < digits ? (VALUES[code] ?? 255) : code === PAD ? 0 : 255
    if (value === 255) return undefined
    held = ((held << 6) | value) & 0xffffff
    if (index % 4 !== 3) continue
    bytes[at++] = held >> 16
    if (at < bytes.length) bytes[at++] = (held >> 8) & 0xff
    if (at < bytes.length) bytes[at++] = held & 0xff
  }
  // The bits under the padding must be zero, or encoding would give another string.
  const unused = padding === 2 ? held & 0xffff : padding === 1 ? held & 0xff : 0
  return unused === 0 ? bytes : undefined
}

export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  // A multiple of three, so that only the last piece is padded.
  for (let from = 0; from < bytes.length; from += 24_576) pieces.push(encodePiece(bytes.subarray(from, from + 24_576)))
  return pieces.join("")
}

function encodePiece(bytes: Uint8Array): string {
  let text = ""
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[index], bytes[index + 1], bytes[index + 2]]
    const rest = bytes.length - index
    text += `${ALPHABET[a >> 2]}${ALPHABET[((a & 3) << 4) | (b >> 4)]}`
    text += rest > 1 ? ALPHABET[((b & 15) << 2) | (c >> 6)] : "="
    text += rest > 2 ? ALPHABET[c & 63] : "="
  }
  return text
}

function valuesByCode(): Uint8Array {
  const values = new Uint8Array(128).fill(255)
  for (let value = 0; value < ALPHABET.length; value++) values[ALPHABET.charCodeAt(value)] = value
  return values
}
