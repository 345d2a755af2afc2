import { plainStringEnd, startsWithAt } from "../log/ascii-bytes.js"
import { encodeText } from "../log/format-line.js"
import { WholeJson } from "../log/whole-json.js"

const TYPE = /* @__PURE__ */ encodeText('{"type":"')
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Whether a longer line is too long for a text is left to the parser. Bytes. */
const LONGEST = 1 << 28
/** Migration does more with them than to put something behind their type, or reading does. */
const TELLING = /* @__PURE__ */ ["compaction", "session"].map((type) => encodeText(`${type}"`))
/** Keys that a migration puts in, or that would count instead of the first one. */
const OWN = /* @__PURE__ */ ["type", "id", "parentId"].map((key) => encodeText(`${key}"`))
const MESSAGE = /* @__PURE__ */ encodeText('message"')
const ROLE = /* @__PURE__ */ encodeText('role"')
const HOOK = /* @__PURE__ */ encodeText('hookMessage"')

/** Finds the lines that are one record each, of which a migration need not know more than where their type ends. */
export class UsualRecords {
  readonly #json = new WholeJson({ key: (bytes, depth, from, to) => this.#isUsualKey(bytes, depth, from, to) })
  /** Whether the member of the outermost object that is looked at is its message, and how many there were, and roles in them. */
  #isMessage = false
  #messages = 0
  #roles = 0
  /** How many keys there were of those that a migration puts in: the type is one. */
  #own = 0

  /**
   * How many bytes the line in `[from, to)` has up to the end of its first member, its type; -1 where only parsing tells what a
   * migration does with it, or what it holds.
   */
  endOfType(bytes: Uint8Array, from: number, to: number): number {
    if (!startsWithAt(bytes, from, TYPE)) return -1
    const type = from + TYPE.length
    const end = plainStringEnd(bytes, type)
    if (end <= type || TELLING.some((text) => startsWithAt(bytes, type, text))) return -1
    if (to - from > LONGEST) return -1
    this.#isMessage = false
    this.#messages = this.#roles = this.#own = 0
    return this.#json.isObject(bytes, from, to) ? end + 1 - from : -1
  }

  #isUsualKey(bytes: Uint8Array, depth: number, from: number, to: number): boolean {
    if (depth === 1) return this.#isUsualMember(bytes, from, to)
    if (!this.#isMessage) return true
    for (let at = from; at < to; at++) if (bytes[at] === BACKSLASH) return false
    if (!startsWithAt(bytes, from, ROLE)) return true
    this.#roles += 1
    // Behind the key's quote and the colon.
    return this.#roles === 1 && isOtherRole(bytes, to + 2)
  }

  #isUsualMember(bytes: Uint8Array, from: number, to: number): boolean {
    // Keys with escapes may be any, and those of digits come first in an object, wherever they stand.
    for (let at = from; at < to; at++) if (!isLetter(bytes[at] as number)) return false
    this.#isMessage = startsWithAt(bytes, from, MESSAGE)
    if (this.#isMessage) {
      this.#messages += 1
      return this.#messages === 1
    }
    if (!OWN.some((key) => startsWithAt(bytes, from, key))) return true
    this.#own += 1
    return this.#own === 1
  }
}

/** Whether the value at the place is surely no `hookMessage`: a text without escapes that is another one. */
function isOtherRole(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === QUOTE && plainStringEnd(bytes, at + 1) !== -1 && !startsWithAt(bytes, at + 1, HOOK)
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
}
