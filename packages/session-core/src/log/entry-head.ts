import type { EntryHead } from "../entry/entry.js"
import { lineText } from "./byte-text.js"
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

/** A head, the text that it was read from, and where in its line the other members of the entry stand. */
interface FoundHead {
  readonly head: EntryHead
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
  return find(decodeText(bytes))?.head
}

const CLOSE_BRACE = 0x7d
const MESSAGE = ',"message":{'
/** Other characters take several bytes, and the text has one for each byte: such a head is parsed. */
const NOT_ASCII = /[^\0-\x7f]/
/** A time is that of a message if only short members follow it up to a brace, which is not the outermost: that is not in the range. */
const HEAD_MEMBER = /* @__PURE__ */ memberPattern(
  "type|id|parentId|timestamp",
  'timestamp":\\d+(?:,"[^"\\\\]*":(?:"[^"\\\\]*"|[-.\\w]+))*\\}$',
)

/**
 * The head of a line that begins and ends like one entry of a known writer; undefined where only parsing can decide: a second record
 * may be in it, or a key of the head again.
 * @param isLink a second record behind the head does not matter, as where a path is followed
 */
export function usualHead(of: Pick<Line, "bytes" | "text" | "terminated">, isLink = false): EntryHead | undefined {
  const { bytes, terminated } = of
  if (!terminated || bytes[bytes.length - 1] !== CLOSE_BRACE) return undefined
  const line = lineText(of)
  const found = find(line)
  if (!found || NOT_ASCII.test(found.text)) return undefined
  const { head, isFront, from, to } = found
  // Each entry has one `parentId` outside of strings; where a payload has one too, it may be a second record.
  if (!(isFront && isLink) && finds(line, '","parentId":', from, to)) return undefined
  if (!isFront && mayHoldType(line, to)) return undefined
  const first = line.startsWith(MESSAGE, from) ? nextMember(line, from + MESSAGE.length, to, "}") : from
  return holdsMember(HEAD_MEMBER, line, first, to) ? undefined : head
}

function find(line: string): FoundHead | undefined {
  const front = FRONT.exec(line)
  if (front) {
    const [text, type, id, parentId, timestamp] = front as unknown as [string, string, string, string?, string?]
    return { head: headOf(type, id, parentId, timestamp), text, isFront: true, from: text.length, to: line.length - 1 }
  }
  const begin = BACK_BEGIN.exec(line)
  const end = begin && BACK_END.exec(line.slice(-WINDOW))
  if (!begin || !end || (begin[2] === undefined) === (end[3] === undefined)) return undefined
  const head = headOf(begin[1] as string, end[1] as string, end[2], begin[2] ?? end[3])
  const [text, from, to] = [begin[0] + end[0], begin[0].length, line.length - end[0].length]
  return { head, text, isFront: false, from, to }
}

function headOf(type: string, id: string, parentId: string | undefined, timestamp = ""): EntryHead {
  return {
    type: type === "message" ? "message" : copied(type),
    id: copied(id),
    parentId: parentId === undefined ? null : copied(parentId),
    timestamp: copied(timestamp),
  }
}

/** V8 keeps the whole text in memory for a part of this length or more. */
const SLICED = 13

function copied(part: string): string {
  return part.length < SLICED ? part : [part.slice(0, 1), part.slice(1)].join("")
}

const TYPE = '{"type":"'
/** The blocks of messages. No entry has a type that begins like these. */
const BLOCKS = /* @__PURE__ */ ["text", "thinking", "toolCall", "image"].map((type) => `${type}"`)

/** Whether an object with a type that is not a block of a message stands in the line: a torn record may precede the one that ends it. */
function mayHoldType(line: string, to: number): boolean {
  for (let at = line.indexOf(TYPE, 1); at !== -1 && at < to; at = line.indexOf(TYPE, at + 1))
    if (!BLOCKS.some((block) => line.startsWith(block, at + TYPE.length))) return true
  return false
}

/** Whether the text stands, as a whole, in `[from, to)` of the line. */
function finds(line: string, text: string, from: number, to: number): boolean {
  const at = line.indexOf(text, from)
  return at !== -1 && at + text.length <= to
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

/** Whether the pattern finds a member in `[from, to)`. */
export function holdsMember(pattern: RegExp, line: string, from: number, to: number): boolean {
  return from < to && pattern.test(line.slice(from, to))
}

/**
 * Where, in a range that begins in a value which `closer` ends, a further member of its object can begin at the earliest: behind such
 * a character that is followed by a comma and a string. `to` where there is none. Most values are skipped at the speed of one search.
 */
export function nextMember(line: string, from: number, to: number, closer: "}" | "]"): number {
  for (let at = line.indexOf(closer, from); at !== -1 && at < to; at = line.indexOf(closer, at + 1)) {
    const comma = behindSpace(line, at + 1)
    if (line[comma] === "," && line[behindSpace(line, comma + 1)] === '"') return at + 1
  }
  return to
}

function behindSpace(line: string, from: number): number {
  let at = from
  while (line[at] === " " || line[at] === "\t" || line[at] === "\r") at += 1
  return at
}
