import { holdsMember, memberPattern, nextMember } from "./entry-head.js"

/** What a list shows of an answer or a tool result. */
export type MessageSketch =
  | { readonly role: "assistant"; readonly stopReason: string; readonly timestamp: number }
  | { readonly role: "toolResult" }

/** Whether the line begins as a message does. */
export const isMessageLine = (line: string): boolean => line.startsWith('{"type":"message",')

/** How much of the end of a line is looked at, and how far behind the role the content of a message may begin. Bytes. */
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

/**
 * Reads the role, the stop reason and the time of an answer or a tool result from the two ends of its line, without parsing it;
 * undefined where the line is not as the known writers write it, holds several records, or the message is another one. What lies
 * between the two ends is only searched for another such message: it may be damaged.
 * @param line the text of its bytes (`byteText`)
 */
export function scanMessage(line: string): MessageSketch | undefined {
  const [begin, role] = BEGIN.exec(line) ?? []
  if (begin === undefined) return undefined
  const isAssistant = role === "assistant"
  const end = (isAssistant ? ASSISTANT_END : TOOL_RESULT_END).exec(line.slice(-WINDOW))
  if (!end || line.includes('"message":{"role":"', begin.length) || mayRepeatRole(line, begin.length)) return undefined
  return isAssistant ? { role, stopReason: end[1] as string, timestamp: Number(end[2]) } : { role: "toolResult" }
}

const DECIDING = /* @__PURE__ */ memberPattern("type|message|role")
const CONTENT = '"content":['

/** Whether the kind of a message has to be parsed: a key that decides it may be in the line again (`memberPattern`). */
function mayRepeatRole(line: string, from: number): boolean {
  const to = line.length
  const content = line.slice(from, from + WINDOW).indexOf(CONTENT)
  if (content === -1 || /[{[]/.test(line.slice(from, from + content))) return holdsMember(DECIDING, line, from, to)
  if (holdsMember(DECIDING, line, from, from + content)) return true
  return holdsMember(DECIDING, line, nextMember(line, from + content + CONTENT.length, to, "]"), to)
}

const RECORD = '{"type":"'
const TYPE = /* @__PURE__ */ memberPattern("type")
/** An object of a type that a list shows, or of one that is no whole name: it may be torn. */
const SHOWN = /\{"type":"(?!(?!(?:message|session_info|title_change)")[a-zA-Z_-]+")/

/**
 * Whether a line certainly has no message, no name and no title: an entry of another type, without any object in it that could
 * be one of those, glued to it or nested, and without a second type.
 */
export function tellsNothing(line: string): boolean {
  return line.startsWith(RECORD) && !SHOWN.test(line) && !TYPE.test(line.slice(RECORD.length))
}
