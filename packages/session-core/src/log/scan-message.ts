import { BytePattern, startsWithAt } from "./ascii-bytes.js"
import { holdsMember, memberPattern, nextMember } from "./entry-head.js"
import { decodeText, encodeText } from "./format-line.js"

/** What a list shows of an answer or a tool result. */
export type MessageSketch =
  | { readonly role: "assistant"; readonly stopReason: string; readonly timestamp: number }
  | { readonly role: "toolResult" }

const MESSAGE = /* @__PURE__ */ encodeText('{"type":"message",')

export function isMessageLine(bytes: Uint8Array): boolean {
  return startsWithAt(bytes, 0, MESSAGE)
}

/** How much of each end of a line is decoded, and how far behind the role the content of a message may begin. Bytes. */
const WINDOW = 512

/** The order of keys that pi, xcsh, omp and treelog use, and that of sessions that pi migrated. */
const BEGIN =
  /^\{"type":"message",(?:"id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),)?"timestamp":"[^"\\]*","message":\{"role":"(assistant|toolResult)",/

/** Members with short values and unescaped keys, other than these. In valid JSON they are such if the text matches up to its end. */
const membersBut = (keys: string): string => `(?:,"(?!(?:${keys})")[^"\\\\]*":(?:"[^"\\\\]*"|[-.\\w]+)){0,12}`
/** The message ends, and then its line; pi's migration puts two members between. */
const endPattern = (start: string, keys: string, middle = ""): RegExp =>
  new RegExp(`${start}${middle && membersBut(keys)}${middle}${membersBut(keys)}\\}${membersBut(keys)}\\}$`)
const ASSISTANT_END = /* @__PURE__ */ endPattern(
  ',"stopReason":"(stop|toolUse|length|aborted|error)"',
  "stopReason|timestamp",
  ',"timestamp":(\\d{1,15})',
)
const TOOL_RESULT_END = /* @__PURE__ */ endPattern(',"isError":(?:true|false)', "isError")
const ROLE = /* @__PURE__ */ new BytePattern('"message":{"role":"')

/**
 * Reads the role, the stop reason and the time of an answer or a tool result from the two ends of its line, without parsing it;
 * undefined where the line is not as the known writers write it, holds several records, or the message is another one. What lies
 * between the two ends is only searched for another such message: it may be damaged.
 */
export function scanMessage(bytes: Uint8Array): MessageSketch | undefined {
  const [begin, role] = BEGIN.exec(decodeText(bytes.subarray(0, WINDOW))) ?? []
  if (begin === undefined) return undefined
  const tail = decodeText(bytes.subarray(-WINDOW))
  const isAssistant = role === "assistant"
  const end = (isAssistant ? ASSISTANT_END : TOOL_RESULT_END).exec(tail)
  if (!end || ROLE.indexIn(bytes, begin.length, bytes.length) !== -1 || mayRepeatRole(bytes, begin.length))
    return undefined
  return isAssistant ? { role, stopReason: end[1] as string, timestamp: Number(end[2]) } : { role: "toolResult" }
}

const DECIDING = /* @__PURE__ */ memberPattern("type|message|role")
const CONTENT = /* @__PURE__ */ new BytePattern('"content":[')
const CLOSE_BRACKET = 0x5d

/** Whether the kind of a message has to be parsed: a key that decides it may be in the line again (`repeated-key.ts`). */
function mayRepeatRole(bytes: Uint8Array, from: number): boolean {
  const to = bytes.length
  const content = CONTENT.indexIn(bytes, from, Math.min(to, from + WINDOW))
  if (content === -1 || /[{[]/.test(decodeText(bytes.subarray(from, content))))
    return holdsMember(DECIDING, bytes, from, to)
  if (holdsMember(DECIDING, bytes, from, content)) return true
  return holdsMember(DECIDING, bytes, nextMember(bytes, content + CONTENT.bytes.length, to, CLOSE_BRACKET), to)
}

const RECORD = '{"type":"'
const TYPE = /* @__PURE__ */ memberPattern("type")
/** An object of a type that a list shows, or of one that is no whole name: it may be torn. */
const SHOWN = /\{"type":"(?!(?!(?:message|session_info|title_change)")[a-zA-Z_-]+")/

/**
 * Whether a line certainly has no message, no name and no title: an entry of another type, without any object in it that could
 * be one of those, glued to it or nested, and without a second type.
 */
export function tellsNothing(bytes: Uint8Array): boolean {
  const text = decodeText(bytes)
  return text.startsWith(RECORD) && !SHOWN.test(text) && !TYPE.test(text.slice(RECORD.length))
}
