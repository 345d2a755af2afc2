import type { EntryHead } from "../entry/entry.js"
import { plainText } from "./ascii-bytes.js"
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
const BEFORE_ID = '{"type":"message","id":"'
const BEFORE_PARENT = `${BEFORE_ID}${ID}","parentId":"`
const BEFORE_TIME = `${BEFORE_PARENT}${ID}","timestamp":"`
const FORM = /* @__PURE__ */ encodeText(`${BEFORE_TIME}${TIME}"`)
const ID_AT = BEFORE_ID.length
const PARENT_AT = BEFORE_PARENT.length
const TIME_AT = BEFORE_TIME.length

const COMMA = 0x2c
const CLOSE_BRACE = 0x7d

/**
 * The head of a message in the form in which nearly all of them are written, where everything has its fixed place, and of which
 * `usualHead` says the same: that it is one entry. Undefined for any other line; only looking at it more closely can tell then.
 * @param to where the line has its line end
 */
export function messageHead(bytes: Uint8Array, from: number, to: number): EntryHead | undefined {
  const behind = from + FORM.length
  if (bytes[to - 1] !== CLOSE_BRACE || behind >= to || !hasForm(bytes, from)) return undefined
  if (bytes[behind] !== COMMA && bytes[behind] !== CLOSE_BRACE) return undefined
  if (holdsParent(bytes, behind, to)) return undefined
  return {
    type: "message",
    id: plainText(bytes, from + ID_AT, from + ID_AT + 8),
    parentId: plainText(bytes, from + PARENT_AT, from + PARENT_AT + 8),
    timestamp: timeText(bytes, from + TIME_AT),
  }
}

/** One short loop, which the engine compiles after a few lines; many small calls would be interpreted for thousands of them. */
function hasForm(bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < FORM.length; index++) {
    const byte = bytes[from + index] as number
    const wanted = FORM[index] as number
    if (wanted > PLAIN ? byte !== wanted : ((KINDS[byte] as number) & wanted) === 0) return false
  }
  return true
}

const PARENT = /* @__PURE__ */ encodeText('","parentId":')
const LAST = PARENT.length - 1
const COLON = 0x3a
/** How far the end of the pattern may go on from a byte, so that this byte and its like in the pattern come together. */
const JUMPS = /* @__PURE__ */ new Uint8Array(256).fill(PARENT.length)
for (let index = 0; index < LAST; index++) JUMPS[PARENT[index] as number] = LAST - index

/** Whether a further `parentId` stands outside of strings: where it does, a second record may be there, or a part of one. */
function holdsParent(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from + LAST; at < to; ) {
    const byte = bytes[at] as number
    if (byte === COLON) {
      let index = 0
      while (index < LAST && bytes[at - LAST + index] === PARENT[index]) index += 1
      if (index === LAST) return true
    }
    at += JUMPS[byte] as number
  }
  return false
}

/** Used again: from an array of its own length, the runtime makes a text many times faster than from a part of typed bytes. */
const codes: number[] = /* @__PURE__ */ Array.from(TIME, () => 0)

function timeText(bytes: Uint8Array, from: number): string {
  for (let index = 0; index < codes.length; index++) codes[index] = bytes[from + index] as number
  return String.fromCharCode.apply(null, codes)
}
