import type { EntryHead } from "../entry/entry.js"
import { BytePattern, plainStringEnd, plainText, startsWithAt } from "./ascii-bytes.js"
import { encodeText } from "./format-line.js"
import type { Line } from "./line.js"
import { mayRepeatHead } from "./repeated-key.js"

const TYPE = /* @__PURE__ */ encodeText('{"type":"')
const MESSAGE = /* @__PURE__ */ encodeText("message")
const ID = /* @__PURE__ */ encodeText('","id":"')
const PARENT = /* @__PURE__ */ encodeText('","parentId":')
const NULL = /* @__PURE__ */ encodeText("null")
const TIME = /* @__PURE__ */ encodeText(',"timestamp":"')
const TIME_AFTER_TYPE = /* @__PURE__ */ encodeText('","timestamp":"')
const ANY_PARENT = /* @__PURE__ */ encodeText('","parentId":')
/** The one letter of it that is rare in text: the runtime looks for one byte many times faster than for several. */
const RARE = 0x49
const RARE_AT = /* @__PURE__ */ ANY_PARENT.indexOf(RARE)
const ANY_TYPE = /* @__PURE__ */ new BytePattern('{"type":"')

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d

/** How much of a line's end is looked at for an id. Bytes; ids and timestamps of all writers fit several times over. */
const WINDOW = 256
const LATE_ID = /* @__PURE__ */ encodeText(',"id":"')

/** A head, and where in its line the other members of the entry stand. */
interface ScannedHead {
  readonly head: EntryHead
  readonly from: number
  readonly to: number
}

/**
 * Reads what the tree needs of an entry from its bytes, in the key orders that the known writers use, without parsing the line;
 * undefined where the order is another one. Unescaped quotes are structure, and nothing stands between the matched keys and the
 * outermost brace, so a match is never part of a payload. The payload itself is not looked at: it may be damaged.
 */
export function scanHead(bytes: Uint8Array): EntryHead | undefined {
  return scan(bytes)?.head
}

function scan(bytes: Uint8Array): ScannedHead | undefined {
  const typeEnd = startsWithAt(bytes, 0, TYPE) ? plainStringEnd(bytes, TYPE.length) : -1
  if (typeEnd <= TYPE.length) return undefined
  return startsWithAt(bytes, typeEnd, ID) ? frontHead(bytes, typeEnd) : backHead(bytes, typeEnd)
}

/**
 * The head of a line that begins and ends like one entry of a known writer; undefined where only parsing can tell: a second record
 * may be in it, or a key of the head again.
 */
export function usualHead({ bytes, terminated }: Line): EntryHead | undefined {
  if (!terminated || bytes[bytes.length - 1] !== CLOSE_BRACE) return undefined
  const scanned = scan(bytes)
  if (!scanned || !holdsOneHead(bytes) || mayRepeatHead(bytes, scanned.from, scanned.to)) return undefined
  return scanned.head
}

/**
 * Whether nothing suggests a second record in a line that begins like an entry. Each entry has one `parentId` outside of
 * strings; where a payload has one too, only parsing can tell.
 */
function holdsOneHead(bytes: Uint8Array): boolean {
  const first = nextParent(bytes, 0)
  if (first === -1 || nextParent(bytes, first + 1) !== -1) return false
  return startsWithAt(bytes, plainStringEnd(bytes, TYPE.length), ID) || isTypeNested(bytes)
}

function nextParent(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(RARE, from + RARE_AT)
  while (at !== -1 && !startsWithAt(bytes, at - RARE_AT, ANY_PARENT)) at = bytes.indexOf(RARE, at + 1)
  return at === -1 ? -1 : at - RARE_AT
}

/** pi's, xcsh's, omp's and treelog's messages, settings and summaries: everything about the entry comes first. */
function frontHead(bytes: Uint8Array, typeEnd: number): ScannedHead | undefined {
  const idFrom = typeEnd + ID.length
  const idEnd = plainStringEnd(bytes, idFrom)
  if (idEnd <= idFrom || !startsWithAt(bytes, idEnd, PARENT)) return undefined
  const parentFrom = idEnd + PARENT.length
  const parentEnd = endOfParent(bytes, parentFrom)
  if (parentEnd === -1 || !startsWithAt(bytes, parentEnd, TIME)) return undefined
  const timeFrom = parentEnd + TIME.length
  const timeEnd = plainStringEnd(bytes, timeFrom)
  const next = bytes[timeEnd + 1]
  if (timeEnd === -1 || (next !== COMMA && next !== CLOSE_BRACE)) return undefined
  const head = {
    type: typeText(bytes, typeEnd),
    id: plainText(bytes, idFrom, idEnd),
    parentId: parentText(bytes, parentFrom, parentEnd),
    timestamp: plainText(bytes, timeFrom, timeEnd),
  }
  return { head, from: timeEnd + 1, to: bytes.length - 1 }
}

/**
 * `custom` and `custom_message` of pi and omp: the payload comes first. In sessions that pi migrated the time follows the type, and
 * the ids come last. The time stands at exactly one of the two places.
 */
function backHead(bytes: Uint8Array, typeEnd: number): ScannedHead | undefined {
  if (bytes[bytes.length - 1] !== CLOSE_BRACE) return undefined
  const idFrom = lateId(bytes)
  const idEnd = idFrom === -1 ? -1 : plainStringEnd(bytes, idFrom)
  if (idEnd <= idFrom || !startsWithAt(bytes, idEnd, PARENT)) return undefined
  const parentFrom = idEnd + PARENT.length
  const parentEnd = endOfParent(bytes, parentFrom)
  if (parentEnd === -1) return undefined
  const isEarly = startsWithAt(bytes, typeEnd, TIME_AFTER_TYPE)
  const isLate = startsWithAt(bytes, parentEnd, TIME)
  if (isEarly === isLate) return undefined
  const timeFrom = isEarly ? typeEnd + TIME_AFTER_TYPE.length : parentEnd + TIME.length
  const timeEnd = plainStringEnd(bytes, timeFrom)
  if (timeEnd === -1 || (isEarly && bytes[timeEnd + 1] !== COMMA)) return undefined
  if ((isLate ? timeEnd + 1 : parentEnd) !== bytes.length - 1) return undefined
  const head = {
    type: typeText(bytes, typeEnd),
    id: plainText(bytes, idFrom, idEnd),
    parentId: parentText(bytes, parentFrom, parentEnd),
    timestamp: plainText(bytes, timeFrom, timeEnd),
  }
  return { head, from: (isEarly ? timeEnd : typeEnd) + 1, to: idFrom - LATE_ID.length }
}

/** Nearly all entries are messages. */
function typeText(bytes: Uint8Array, end: number): string {
  const isMessage = end - TYPE.length === MESSAGE.length && startsWithAt(bytes, TYPE.length, MESSAGE)
  return isMessage ? "message" : plainText(bytes, TYPE.length, end)
}

/** Where the value of the last `id` key of the line's end begins; -1 where there is none. */
function lateId(bytes: Uint8Array): number {
  const last = Math.max(TYPE.length, bytes.length - WINDOW)
  for (let at = bytes.length - LATE_ID.length; at >= last; at--)
    if (bytes[at] === COMMA && startsWithAt(bytes, at, LATE_ID)) return at + LATE_ID.length
  return -1
}

/** Behind the value of `parentId`: null, or a string that is not empty. */
function endOfParent(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== QUOTE) return startsWithAt(bytes, from, NULL) ? from + NULL.length : -1
  const end = plainStringEnd(bytes, from + 1)
  return end > from + 1 ? end + 1 : -1
}

function parentText(bytes: Uint8Array, from: number, end: number): string | null {
  return bytes[from] === QUOTE ? plainText(bytes, from + 1, end - 1) : null
}

/** Whether every further `{"type":` stands where an object in an object or array does: a torn record ends anywhere. */
function isTypeNested(bytes: Uint8Array): boolean {
  for (
    let at = ANY_TYPE.indexIn(bytes, 1, bytes.length);
    at !== -1;
    at = ANY_TYPE.indexIn(bytes, at + 1, bytes.length)
  ) {
    const before = bytes[at - 1]
    if (before !== COMMA && before !== COLON && before !== OPEN_BRACKET) return false
    if (isTypeOfEntry(bytes, at + TYPE.length)) return false
  }
  return true
}

const TYPES_OF_ENTRIES = /* @__PURE__ */ [
  "session",
  "message",
  "custom",
  "compaction",
  "branch_summary",
  "label",
  "leaf",
  "model_",
  "mode_",
  "thinking_level",
].map((type) => encodeText(type))

/** Blocks of messages have types as well, but none that begins like those of entries. */
function isTypeOfEntry(bytes: Uint8Array, at: number): boolean {
  return TYPES_OF_ENTRIES.some((type) => startsWithAt(bytes, at, type))
}
