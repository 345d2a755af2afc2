import type { EntryHead } from "../entry/entry.js"
import { jumpsOf, plainText } from "./ascii-bytes.js"
import { encodeText } from "./format-line.js"
import { FRONT, ID_IN_FRONT, ID_LENGTH, isInFront, PARENT_BEHIND, TIME_IN_FRONT, TIME_LENGTH } from "./message-form.js"
import { mayRepeatHead } from "./repeated-key.js"

const CLOSE_BRACE = 0x7d

/**
 * The head of a message in the form in which nearly all of them are written, where everything has its fixed place, and of which
 * `usualHead` says the same: that it is one entry. Undefined for any other line; only looking at it more closely can tell then.
 * @param to where the line has its line end
 */
export function messageHead(bytes: Uint8Array, from: number, to: number): EntryHead | undefined {
  if (bytes[to - 1] !== CLOSE_BRACE || !isInFront(bytes, from, to)) return undefined
  const behind = from + FRONT.length
  if (holdsParent(bytes, behind, to) || mayRepeatHead(bytes, behind, to - 1)) return undefined
  const [id, parentId] = [from + ID_IN_FRONT, from + ID_IN_FRONT + PARENT_BEHIND]
  return {
    type: "message",
    id: plainText(bytes, id, id + ID_LENGTH),
    parentId: plainText(bytes, parentId, parentId + ID_LENGTH),
    timestamp: timeText(bytes, from + TIME_IN_FRONT),
  }
}

const PARENT = /* @__PURE__ */ encodeText('","parentId":')
const LAST = '","parentId":'.length - 1
const COLON = 0x3a
const JUMPS = /* @__PURE__ */ jumpsOf(PARENT)

/**
 * Whether a further `parentId` stands outside of strings: where it does, a second record may be there, or a part of one. What
 * `BytePattern` does, by itself: all bytes of a session go through here, and a loop that others share is compiled later.
 */
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
const codes: number[] = /* @__PURE__ */ new Array(TIME_LENGTH).fill(0)

function timeText(bytes: Uint8Array, from: number): string {
  for (let index = 0; index < codes.length; index++) codes[index] = bytes[from + index] as number
  return String.fromCharCode.apply(null, codes)
}
