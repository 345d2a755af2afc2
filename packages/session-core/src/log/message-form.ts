import { encodeText } from "./format-line.js"

// The forms in which nearly all messages are written: the bytes of a line, with kinds of bytes in place of those that differ. A
// kind is a control character, which a line has not.

const HEX = 1
const PLAIN = 2

/** Of what kinds each byte is: a lower-case hexadecimal digit, printable ASCII that ends no string. */
const KINDS = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return (/[0-9a-f]/.test(char) ? HEX : 0) | (/[ !#-[\]-~]/.test(char) ? PLAIN : 0)
})

export const ID_LENGTH = 8
/** Of `2026-01-31T12:00:00.000Z`. */
export const TIME_LENGTH = 24

/** The bytes of a form in which ID and TIME stand for such values. */
function form(text: string): Uint8Array {
  return encodeText(text.replace(/ID(?=")/g, "\x01".repeat(ID_LENGTH)).replace("TIME", "\x02".repeat(TIME_LENGTH)))
}

/** Everything about the entry comes first. Then a comma follows, or the end. */
export const FRONT = /* @__PURE__ */ form('{"type":"message","id":"ID","parentId":"ID","timestamp":"TIME"')
/** Of sessions that pi migrated: the time first, the ids last. */
export const BACK_BEGIN = /* @__PURE__ */ form('{"type":"message","timestamp":"TIME",')
export const BACK_END = /* @__PURE__ */ form(',"id":"ID","parentId":"ID"}')

/** Where the ids and the time stand: in front, and in the end; the parent's behind the entry's own. */
export const ID_IN_FRONT = '{"type":"message","id":"'.length
export const ID_IN_END = ',"id":"'.length
export const PARENT_BEHIND = ID_LENGTH + '","parentId":"'.length
export const TIME_IN_FRONT = ID_IN_FRONT + PARENT_BEHIND + ID_LENGTH + '","timestamp":"'.length

const COMMA = 0x2c
const CLOSE_BRACE = 0x7d

/** Whether the line in `[from, to)` begins as messages do. */
export function isInFront(bytes: Uint8Array, from: number, to: number): boolean {
  const behind = from + FRONT.length
  if (behind >= to || !hasForm(bytes, from, FRONT)) return false
  return bytes[behind] === COMMA || bytes[behind] === CLOSE_BRACE
}

/** One short loop, which the engine compiles after a few lines; many small calls would be interpreted for thousands of them. */
export function hasForm(bytes: Uint8Array, from: number, form: Uint8Array): boolean {
  for (let index = 0; index < form.length; index++) {
    const byte = bytes[from + index] as number
    const wanted = form[index] as number
    if (wanted > PLAIN ? byte !== wanted : ((KINDS[byte] as number) & wanted) === 0) return false
  }
  return true
}
