import type { EntryHead } from "../entry/entry.js"
import { byteText, indexOfByte, indexOfText } from "./byte-text.js"
import { decodeText } from "./format-line.js"
import type { Line } from "./line.js"

// The forms in which the known writers put the head of an entry. Nothing stands between the matched keys and the outermost brace,
// and an unescaped quote is structure; so a match is never part of a payload.

/** pi's, xcsh's, omp's and treelog's messages, settings and summaries: the whole head comes first. */
const FRONT =
  /^[ \t\r]*\{"type":"(?!session")([^"\\]+)","id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)"),"timestamp":"([^"\\]*)"(?=[,}])/
/**
 * `custom` and `custom_message` of pi and omp, where the payload comes first; and sessions that pi migrated, where the time follows
 * the type. The time stands at exactly one of the two places.
 */
const BACK_BEGIN = /^[ \t\r]*\{"type":"(?!session")([^"\\]+)"(?:,"timestamp":"([^"\\]*)")?(?=,)/
const BACK_END = /,"id":"([^"\\]+)","parentId":(?:null|"([^"\\]+)")(?:,"timestamp":"([^"\\]*)")?\}$/
/** At the other end of a line the head is searched this far. Ids and times of all writers fit several times over. */
const WINDOW = 256

/** The parts of a head, the text that they were read from, and where in its line the other members of the entry stand. */
interface FoundHead {
  readonly type: string
  readonly id: string
  readonly parentId: string | undefined
  readonly timestamp: string | undefined
  readonly text: string
  readonly isFront: boolean
  readonly from: number
  readonly to: number
}

/**
 * Reads what the tree needs of an entry from the bytes of its line, in the key orders that the known writers use, without parsing;
 * undefined where the order is another one. The payload is not read: it may be damaged.
 */
export function scanHead(bytes: Uint8Array): EntryHead | undefined {
  const line = decodeText(bytes)
  const found = find(line, () => line.slice(-WINDOW), line.length)
  return found && headOf(found)
}

const QUOTE = 0x22
const COMMA = 0x2c
const CLOSE_BRACE = 0x7d
const MESSAGE = ',"message":{'
/** Other characters take several bytes, and the text has one for each byte: such a head is parsed. */
const NOT_ASCII = /[^\0-\x7f]/
/** A time is that of a message if only short members follow it up to a brace, which is not the outermost: that is not in the range. */
const HEAD_MEMBER = /* @__PURE__ */ memberPattern(
  "type|id|parentId|timestamp",
  'timestamp":\\d+(?:,"[^"\\\\]*":(?:"[^"\\\\]*"|[-.\\w]+))*\\}$',
)

type EndedBytes = Pick<Line, "bytes" | "terminated">

/**
 * The head of a line that begins and ends like one entry of a known writer; undefined where only parsing can decide: a second record
 * may be in it, or a key of the head again.
 */
export function usualHead(line: EndedBytes): EntryHead | undefined {
  const found = findUsual(line)
  return found && !holdsRecord(line.bytes, found) && !repeatsKey(line.bytes, found) ? headOf(found) : undefined
}

/** What a path is followed by. */
export type EntryLink = Omit<EntryHead, "timestamp">

/** The part of a head that a path is followed by: what may follow the head does not matter then, apart from its keys. */
export function usualLink(line: EndedBytes): EntryLink | undefined {
  const found = findUsual(line)
  if (!found || (!found.isFront && holdsRecord(line.bytes, found)) || repeatsKey(line.bytes, found)) return undefined
  return linkOf(found)
}

function findUsual({ bytes, terminated }: EndedBytes): FoundHead | undefined {
  const { length } = bytes
  if (!terminated || bytes[length - 1] !== CLOSE_BRACE) return undefined
  const end = () => byteText(bytes, Math.max(0, length - WINDOW), length)
  const found = find(byteText(bytes, 0, Math.min(WINDOW, length)), end, length)
  return found && !NOT_ASCII.test(found.text) ? found : undefined
}

/** Whether a second record may be in the line. Each entry has one `parentId` outside of strings, which a payload may have, too. */
function holdsRecord(bytes: Uint8Array, { isFront, from, to }: FoundHead): boolean {
  return holdsParent(bytes, from, to) || (!isFront && mayHoldType(bytes, from, to))
}

const PARENT = '","parentId":'
/** Its end, which begins with a rare letter. */
const PARENT_END = 'Id":'

function holdsParent(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = indexOfText(bytes, PARENT_END, from); at !== -1; at = indexOfText(bytes, PARENT_END, at + 1)) {
    const end = at + PARENT_END.length
    if (end > to) return false
    if (byteText(bytes, Math.max(from, end - PARENT.length), end) === PARENT) return true
  }
  return false
}

/** Whether a key of the head may be in the line again. A message is skipped up to where another member can follow it. */
function repeatsKey(bytes: Uint8Array, { from, to }: FoundHead): boolean {
  const behind = Math.min(from + MESSAGE.length, to)
  const first = byteText(bytes, from, behind) === MESSAGE ? nextMember(bytes, behind, to, CLOSE_BRACE) : from
  return first < to && HEAD_MEMBER.test(byteText(bytes, first, to))
}

/**
 * @param begin the first characters of the line, up to all of them
 * @param end gives the last ones
 */
function find(begin: string, end: () => string, length: number): FoundHead | undefined {
  const front = FRONT.exec(begin)
  if (front) {
    const [text, type, id, parentId, timestamp] = front as unknown as [string, string, string, string?, string?]
    return { type, id, parentId, timestamp, text, isFront: true, from: text.length, to: length - 1 }
  }
  const first = BACK_BEGIN.exec(begin)
  const last = first && BACK_END.exec(end())
  if (!first || !last || (first[2] === undefined) === (last[3] === undefined)) return undefined
  const [type, id, parentId] = [first[1] as string, last[1] as string, last[2]]
  const [text, from, to] = [first[0] + last[0], first[0].length, length - last[0].length]
  return { type, id, parentId, timestamp: first[2] ?? last[3], text, isFront: false, from, to }
}

function headOf({ type, id, parentId, timestamp = "" }: FoundHead): EntryHead {
  return {
    type: type === "message" ? "message" : copied(type),
    id: copied(id),
    parentId: parentId === undefined ? null : copied(parentId),
    timestamp: copied(timestamp),
  }
}

function linkOf({ type, id, parentId }: FoundHead): EntryLink {
  return { type, id: copied(id), parentId: parentId === undefined ? null : copied(parentId) }
}

/** V8 keeps the whole text in memory for a part of this length or more. */
const SLICED = 13

function copied(part: string): string {
  return part.length < SLICED ? part : [part.slice(0, 1), part.slice(1)].join("")
}

const TYPE = '{"type":"'
/** The blocks of messages. No entry has a type that begins like these. */
const BLOCK = /^(?:text|thinking|toolCall|image)"/
/** Characters of the longest of them. */
const LONGEST_BLOCK = 9

/** Whether an object with a type that is not a block of a message stands there: a torn record may precede the one that ends the line. */
function mayHoldType(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = indexOfText(bytes, TYPE, from); at !== -1 && at < to; at = indexOfText(bytes, TYPE, at + 1)) {
    const type = at + TYPE.length
    if (!BLOCK.test(byteText(bytes, type, Math.min(type + LONGEST_BLOCK, bytes.length)))) return true
  }
  return false
}

// Of several members of an object with the same key, the last counts, as JSON.parse has it (FORMAT.md, section 2). Readers that
// read only the ends of a line check here whether the rest may repeat one of the keys that matter; if so, they parse the line.

/**
 * Finds a member with one of the keys that may repeat an earlier one. A key with an escape counts as any of them. The first key of
 * an object within the line repeats nothing.
 * @param keys and except are regular expressions; a member that matches `except` does not count
 */
export function memberPattern(keys: string, except?: string): RegExp {
  const other = except === undefined ? "" : `(?!${except})`
  return new RegExp(String.raw`"(?<![:,[]\{")${other}(?:${keys}|[A-Za-z]*\\u[^"]*)"[ \t\r]*:`)
}

/**
 * Where, in a range that begins in a value which `closer` ends, a further member of its object can begin at the earliest: behind such
 * a character that is followed by a comma and a string. `to` where there is none. Most values are skipped at the speed of one search.
 */
export function nextMember(bytes: Uint8Array, from: number, to: number, closer: number): number {
  for (let at = indexOfByte(bytes, closer, from); at !== -1 && at < to; at = indexOfByte(bytes, closer, at + 1)) {
    const comma = behindSpace(bytes, at + 1)
    if (bytes[comma] === COMMA && bytes[behindSpace(bytes, comma + 1)] === QUOTE) return at + 1
  }
  return to
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at += 1
  return at
}
