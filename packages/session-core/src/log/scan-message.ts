import { BytePattern, startsWithAt } from "./ascii-bytes.js"
import { BackwardMembers } from "./backward-members.js"
import { encodeText } from "./format-line.js"
import { KeySet, nextMember } from "./repeated-key.js"

/** What a list wants to know of a message; of the user's, not the text. */
export type MessageSketch =
  | { readonly role: "assistant"; readonly stopReason: string; readonly timestamp: number }
  | { readonly role: "user"; readonly timestamp: number }
  | { readonly role: "toolResult" }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const CLOSE_BRACE = 0x7d

const MESSAGE = /* @__PURE__ */ encodeText('{"type":"message",')
const ID = /* @__PURE__ */ encodeText('"id":"')
const PARENT = /* @__PURE__ */ encodeText('"parentId":"')
const NO_PARENT = /* @__PURE__ */ encodeText('"parentId":null,')
const TIME = /* @__PURE__ */ encodeText('"timestamp":"')
const ASSISTANT = /* @__PURE__ */ new BytePattern('"message":{"role":"assistant",')
const TOOL_RESULT = /* @__PURE__ */ new BytePattern('"message":{"role":"toolResult",')
const USER = /* @__PURE__ */ encodeText('"message":{"role":"user","content":')
const TEXT_BLOCK = /* @__PURE__ */ encodeText('[{"type":"text","text":"')
const END_OF_BLOCK = /* @__PURE__ */ encodeText("}]")
const TIME_BEHIND = /* @__PURE__ */ encodeText(',"timestamp":')
const STOP_REASON = /* @__PURE__ */ encodeText("stopReason")
const TIMESTAMP = /* @__PURE__ */ encodeText("timestamp")
const IS_ERROR = /* @__PURE__ */ encodeText("isError")

const STOP_REASONS = /* @__PURE__ */ ["stop", "toolUse", "length", "aborted", "error"].map((reason) => ({
  reason,
  bytes: encodeText(`"${reason}"`),
}))

/** Behind the message, pi's migration puts two members; more than a few are not looked through. */
const MEMBERS_BEHIND = 4
const MEMBERS_IN_MESSAGE = 12

export function isMessageLine(bytes: Uint8Array, from: number): boolean {
  return startsWithAt(bytes, from, MESSAGE)
}

/**
 * Reads the role, the stop reason and the time of a message from the two ends of its line, without parsing it; undefined where the
 * line is not as the known writers write it, holds several records, or the message is another one. What lies between the two ends
 * of an answer or a tool result is only searched for another such message: it may be damaged.
 */
export function scanMessage(bytes: Uint8Array, from: number, to: number): MessageSketch | undefined {
  const at = messageStart(bytes, from)
  if (at === -1) return undefined
  if (startsWithAt(bytes, at, USER)) return userMessage(bytes, at + USER.length, to)
  const isAssistant = startsWithAt(bytes, at, ASSISTANT.bytes)
  const kind = isAssistant ? ASSISTANT : TOOL_RESULT
  if (!isAssistant && !startsWithAt(bytes, at, TOOL_RESULT.bytes)) return undefined
  const end = messageEnd(bytes, to)
  if (end <= at || kind.indexIn(bytes, at + kind.bytes.length, end) !== -1) return undefined
  if (mayRepeatRole(bytes, at + kind.bytes.length, to)) return undefined
  return isAssistant ? assistantBefore(bytes, end) : toolResultBefore(bytes, end)
}

const DECIDING = /* @__PURE__ */ new KeySet("type", "message", "role")
const TYPE = /* @__PURE__ */ new KeySet("type")
const CONTENT = /* @__PURE__ */ new BytePattern('"content":[')
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
const CLOSE_BRACKET = 0x5d
/** How far behind the role of a message the content may begin. Bytes. */
const WINDOW = 512

/** Whether the kind of a message has to be parsed: a key that decides it may stand in the line again (`repeated-key.ts`). */
function mayRepeatRole(bytes: Uint8Array, from: number, to: number): boolean {
  const content = CONTENT.indexIn(bytes, from, Math.min(to, from + WINDOW))
  if (content === -1 || holdsContainer(bytes, from, content)) return DECIDING.indexIn(bytes, from, to) !== -1
  if (DECIDING.indexIn(bytes, from, content) !== -1) return true
  const next = nextMember(bytes, content + CONTENT.bytes.length, to, CLOSE_BRACKET)
  return DECIDING.indexIn(bytes, next, to) !== -1
}

function holdsContainer(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) return true
  return false
}

/** Where the message begins, in the order of keys that pi, xcsh, omp and treelog use, and in that of sessions that pi migrated. */
function messageStart(bytes: Uint8Array, from: number): number {
  if (!startsWithAt(bytes, from, MESSAGE)) return -1
  let at = from + MESSAGE.length
  if (startsWithAt(bytes, at, ID)) {
    at = behindString(bytes, at + ID.length)
    if (startsWithAt(bytes, at, NO_PARENT)) at += NO_PARENT.length
    else if (startsWithAt(bytes, at, PARENT)) at = behindString(bytes, at + PARENT.length)
    else return -1
  }
  return startsWithAt(bytes, at, TIME) ? behindString(bytes, at + TIME.length) : -1
}

/** The text, or a list with one, and then the time, and nothing else: looked at from its beginning to its end. */
function userMessage(bytes: Uint8Array, at: number, to: number): MessageSketch | undefined {
  const isList = startsWithAt(bytes, at, TEXT_BLOCK)
  const text = isList ? at + TEXT_BLOCK.length : at + 1
  if (!isList && bytes[at] !== QUOTE) return undefined
  let behind = endOfText(bytes, text, to)
  if (isList) behind = startsWithAt(bytes, behind, END_OF_BLOCK) ? behind + END_OF_BLOCK.length : -1
  if (!startsWithAt(bytes, behind, TIME_BEHIND) || messageEnd(bytes, to) !== to - 2) return undefined
  const timestamp = wholeNumber(bytes, behind + TIME_BEHIND.length, to - 2)
  return timestamp === undefined ? undefined : { role: "user", timestamp }
}

/** Behind the closing quote of the string that began before `at`; -1 where there is none before `to`. */
function endOfText(bytes: Uint8Array, at: number, to: number): number {
  for (let index = at; index < to; index++) {
    const byte = bytes[index] as number
    if (byte === QUOTE) return index + 1
    if (byte === BACKSLASH) index += 1
    else if (byte < 0x20) return -1
  }
  return -1
}

/** Behind the closing quote and the comma of the string that began before `at`; -1 for one that is long or has escapes. */
function behindString(bytes: Uint8Array, at: number): number {
  for (let index = at; index < at + 128; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) return bytes[index + 1] === 0x2c ? index + 2 : -1
    if (byte === undefined || byte === BACKSLASH) return -1
  }
  return -1
}

/** The index of the brace that closes the last object in the record; -1 where what follows it is more than a few words. */
function messageEnd(bytes: Uint8Array, to: number): number {
  if (bytes[to - 1] !== CLOSE_BRACE) return -1
  const members = new BackwardMembers(bytes, to - 1)
  for (let count = 0; count < MEMBERS_BEHIND && bytes[members.before] !== CLOSE_BRACE; count++)
    if (!members.previous()) return -1
  return bytes[members.before] === CLOSE_BRACE ? members.before : -1
}

function assistantBefore(bytes: Uint8Array, end: number): MessageSketch | undefined {
  const members = new BackwardMembers(bytes, end)
  let stopReason: string | undefined
  let timestamp: number | undefined
  for (let count = 0; count < MEMBERS_IN_MESSAGE && members.previous(); count++) {
    if (stopReason === undefined && isKey(bytes, members, STOP_REASON)) {
      stopReason = STOP_REASONS.find((known) => isValue(bytes, members, known.bytes))?.reason
      if (stopReason === undefined) return undefined
    } else if (timestamp === undefined && isKey(bytes, members, TIMESTAMP)) {
      timestamp = wholeNumber(bytes, members.valueFrom, members.valueTo)
      if (timestamp === undefined) return undefined
    }
    if (stopReason !== undefined && timestamp !== undefined) return { role: "assistant", stopReason, timestamp }
  }
  return undefined
}

const A_TOOL_RESULT: MessageSketch = { role: "toolResult" }

function toolResultBefore(bytes: Uint8Array, end: number): MessageSketch | undefined {
  const members = new BackwardMembers(bytes, end)
  for (let count = 0; count < MEMBERS_IN_MESSAGE && members.previous(); count++)
    if (isKey(bytes, members, IS_ERROR)) return A_TOOL_RESULT
  return undefined
}

function isKey(bytes: Uint8Array, { keyFrom, keyTo }: BackwardMembers, key: Uint8Array): boolean {
  return keyTo - keyFrom === key.length && startsWithAt(bytes, keyFrom, key)
}

function isValue(bytes: Uint8Array, { valueFrom, valueTo }: BackwardMembers, value: Uint8Array): boolean {
  return valueTo - valueFrom === value.length && startsWithAt(bytes, valueFrom, value)
}

/** Undefined for what is no sequence of digits that a double holds exactly. */
function wholeNumber(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to <= from || to - from > 15) return undefined
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

const RECORD = /* @__PURE__ */ new BytePattern('{"type":"')
const SUMMARIZED_TYPES = /* @__PURE__ */ ["message", "session_info", "title_change"].map((type) =>
  encodeText(`${type}"`),
)

/**
 * Whether a line surely holds no message, no name and no title: an entry of another type, without any object in it that could
 * be one of those, glued to it or nested, and without a second type.
 */
export function tellsNothing(bytes: Uint8Array, from: number, to: number): boolean {
  if (!startsWithAt(bytes, from, RECORD.bytes)) return false
  if (TYPE.indexIn(bytes, from + RECORD.bytes.length, to) !== -1) return false
  for (let at = from; at !== -1; at = RECORD.indexIn(bytes, at + 1, to)) {
    const type = at + RECORD.bytes.length
    if (SUMMARIZED_TYPES.some((prefix) => startsWithAt(bytes, type, prefix))) return false
    // A type that begins another one's text may be a torn one.
    if (!isWholeName(bytes, type, to)) return false
  }
  return true
}

function isWholeName(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < Math.min(to, from + 64); at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at > from
    if (!((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === 0x2d))
      return false
  }
  return false
}
