import { encodeText } from "./format-line.js"

const HEX = 1
const PLAIN = 2

/** Of what kinds each byte is: a lower-case hexadecimal digit, printable ASCII that ends no string. */
const KINDS = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return (/[0-9a-f]/.test(char) ? HEX : 0) | (/[ !#-[\]-~]/.test(char) ? PLAIN : 0)
})

// A form is the bytes of a line with kinds in place of those that differ: both kinds are control characters, which a line has not.
const ID = String.fromCharCode(HEX).repeat(8)
const TIME = String.fromCharCode(PLAIN).repeat(24)
const IDS = `"id":"${ID}","parentId":"${ID}"`
const FRONT = /* @__PURE__ */ encodeText(`{"type":"message",${IDS},"timestamp":"${TIME}"`)
const BACK_BEGIN = /* @__PURE__ */ encodeText(`{"type":"message","timestamp":"${TIME}",`)
const BACK_END = /* @__PURE__ */ encodeText(`,${IDS}}`)

const ID_IN_FRONT = '{"type":"message","id":"'.length
const ID_IN_END = ',"id":"'.length
const PARENT = 8 + '","parentId":"'.length

const COMMA = 0x2c
const CLOSE_BRACE = 0x7d

/**
 * The head of a message in the two forms in which nearly all of them are written, where everything has its fixed place;
 * `scanHead` reads the same of it. It is read where a session is passed by, without making anything of it.
 */
export class MessageLink {
  /** Keys of ids. */
  id = 0
  parentId = 0

  /** False where the line in `[from, to)` has another form. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const at = idOfMessage(bytes, from, to)
    if (at === -1) return false
    this.id = idAt(bytes, at)
    this.parentId = idAt(bytes, at + PARENT)
    return true
  }
}

/** Where the id begins. In front is everything; in sessions that pi migrated, the time comes first and the ids last. */
function idOfMessage(bytes: Uint8Array, from: number, to: number): number {
  const front = from + FRONT.length
  if (front < to && hasForm(bytes, from, FRONT))
    return bytes[front] === COMMA || bytes[front] === CLOSE_BRACE ? from + ID_IN_FRONT : -1
  const end = to - BACK_END.length
  if (from + BACK_BEGIN.length > end || !hasForm(bytes, end, BACK_END) || !hasForm(bytes, from, BACK_BEGIN)) return -1
  return end + ID_IN_END
}

/** One short loop, which the engine compiles after a few lines; many small calls would be interpreted for thousands of them. */
function hasForm(bytes: Uint8Array, from: number, form: Uint8Array): boolean {
  for (let index = 0; index < form.length; index++) {
    const byte = bytes[from + index] as number
    const wanted = form[index] as number
    if (wanted > PLAIN ? byte !== wanted : ((KINDS[byte] as number) & wanted) === 0) return false
  }
  return true
}

/** The key of an id whose digits are known to be some. */
function idAt(bytes: Uint8Array, from: number): number {
  let id = 0
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at] as number
    id = (id << 4) | (byte < 0x3a ? byte - 0x30 : byte - 0x57)
  }
  return id
}
