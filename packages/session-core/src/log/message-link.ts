import { startsWithAt } from "./ascii-bytes.js"
import { encodeText } from "./format-line.js"
import { hexDigit } from "./id-key.js"

const BEFORE_ID = /* @__PURE__ */ encodeText('{"type":"message","id":"')
const BEFORE_PARENT = /* @__PURE__ */ encodeText('","parentId":"')
const BEFORE_TIME = /* @__PURE__ */ encodeText('","timestamp":"')
const BEFORE_EARLY_TIME = /* @__PURE__ */ encodeText('{"type":"message","timestamp":"')
const BEFORE_LATE_ID = /* @__PURE__ */ encodeText(',"id":"')
const ID = 8
/** Of `2026-01-31T12:00:00.000Z`. */
const TIME = 24
/** From an id to the parent's. */
const PARENT = ID + BEFORE_PARENT.length

const QUOTE = 0x22
const BACKSLASH = 0x5c
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
    return this.#readFront(bytes, from, to) || this.#readBack(bytes, from, to)
  }

  /** Everything comes first. */
  #readFront(bytes: Uint8Array, from: number, to: number): boolean {
    if (!startsWithAt(bytes, from, BEFORE_ID)) return false
    const id = from + BEFORE_ID.length
    const time = id + PARENT + ID
    if (!startsWithAt(bytes, time, BEFORE_TIME)) return false
    const end = time + BEFORE_TIME.length + TIME
    const next = bytes[end + 1]
    if (end + 1 >= to || bytes[end] !== QUOTE || (next !== COMMA && next !== CLOSE_BRACE)) return false
    return isPlain(bytes, end - TIME, end) && this.#readIds(bytes, id)
  }

  /** Of sessions that pi migrated: the time first, the ids last. */
  #readBack(bytes: Uint8Array, from: number, to: number): boolean {
    const id = to - 2 - ID - PARENT
    const end = from + BEFORE_EARLY_TIME.length + TIME
    if (end + 1 >= id - BEFORE_LATE_ID.length || bytes[to - 1] !== CLOSE_BRACE || bytes[to - 2] !== QUOTE) return false
    if (bytes[end] !== QUOTE || bytes[end + 1] !== COMMA) return false
    if (!startsWithAt(bytes, from, BEFORE_EARLY_TIME) || !isPlain(bytes, end - TIME, end)) return false
    return startsWithAt(bytes, id - BEFORE_LATE_ID.length, BEFORE_LATE_ID) && this.#readIds(bytes, id)
  }

  #readIds(bytes: Uint8Array, from: number): boolean {
    if (!startsWithAt(bytes, from + ID, BEFORE_PARENT)) return false
    let [id, parentId] = [0, 0]
    for (let at = from; at < from + ID; at++) {
      const digit = hexDigit(bytes[at] as number)
      const parentDigit = hexDigit(bytes[at + PARENT] as number)
      if (digit === -1 || parentDigit === -1) return false
      id = (id << 4) | digit
      parentId = (parentId << 4) | parentDigit
    }
    this.id = id
    this.parentId = parentId
    return true
  }
}

/** Whether it is printable ASCII that ends no string. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return false
  }
  return true
}
