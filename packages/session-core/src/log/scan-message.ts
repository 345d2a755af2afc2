import { parsedJson } from "../entry/json-text.js"
import { memberPattern, nextMember } from "./entry-head.js"

/** What a list shows of an answer or a tool result. */
export type MessageSketch =
  | {
      readonly role: "assistant"
      readonly provider: string
      readonly model: string
      readonly usage: unknown
      readonly stopReason: string
      readonly timestamp: number
    }
  | { readonly role: "toolResult" }

/** Whether the line begins as a message does. */
export const isMessageLine = (line: string): boolean => line.startsWith('{"type":"message",')

/** How far behind the role the content of a message may begin. Bytes. */
const WINDOW = 512
/** How much of the end of a line is looked at. Bytes. */
const END_WINDOW = 768

/** The order of keys that pi, xcsh, omp and treelog use, and that of sessions that pi migrated. */
const BEGIN =
  /^\{"type":"message",(?:"id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),)?"timestamp":"[^"\\]*","message":\{"role":"(assistant|toolResult)",/

/** Members with short values and unescaped keys, other than these. In valid JSON they are such if the text matches up to its end. */
const membersBut = (keys: string): string => `(?:,"(?!(?:${keys})")[^"\\\\]*":(?:"[^"\\\\]*"|[-.\\w]+)){0,12}`
/** The message ends, and then its line; pi's migration puts two members between. */
const endPattern = (start: string, keys: string, middle = ""): RegExp =>
  new RegExp(`${start}${middle && membersBut(keys)}${middle}${membersBut(keys)}\\}${membersBut(keys)}\\}$`)
/** Other characters are several bytes, which this is the text of. */
const ASCII = "[ !#-\\[\\]-~]*"
/** An object of numbers and short texts, with one more such in it. */
const USAGE = '\\{(?:[^{}"\\[]|"[^"\\\\]*"|\\{(?:[^{}"\\[]|"[^"\\\\]*")*\\})*\\}'
const ASSISTANT_END = /* @__PURE__ */ assistantEnd()
const TOOL_RESULT_END = /* @__PURE__ */ endPattern(',"isError":(?:true|false)', "isError")

/** A function, so that programs which do not list sessions leave the pattern out. */
function assistantEnd(): RegExp {
  return endPattern(
    `,"provider":"(${ASCII})","model":"(${ASCII})","usage":(${USAGE}),"stopReason":"(stop|toolUse|length|aborted|error)"`,
    "provider|model|usage|stopReason|timestamp",
    ',"timestamp":(\\d{1,15})',
  )
}

/**
 * Reads the role, the model, the usage, the stop reason and the time of an answer, or the role of a tool result without a usage and a stop reason, from the two
 * ends of its line, without parsing it;
 * undefined where the line is not as the known writers write it, holds several records, or the message is another one. What lies
 * between the two ends is only searched for another such message: it may be damaged.
 * @param line the text of its bytes (`byteText`)
 */
export function scanMessage(line: string, bytes: Uint8Array): MessageSketch | undefined {
  const [begin, role] = BEGIN.exec(line) ?? []
  if (begin === undefined) return undefined
  const isAssistant = role === "assistant"
  const end = (isAssistant ? ASSISTANT_END : TOOL_RESULT_END).exec(line.slice(-END_WINDOW))
  const deciding = isAssistant ? DECIDING : DECIDING_OF_RESULT
  if (!end || line.includes('"message":{"role":"', begin.length) || mayRepeat(deciding, line, bytes, begin.length))
    return undefined
  if (!isAssistant) return { role: "toolResult" }
  const [, provider = "", model = "", usage = "", stopReason = "", timestamp] = end
  // Of a damaged line, the usage is not JSON.
  return { role, provider, model, usage: parsedJson(usage), stopReason, timestamp: Number(timestamp) }
}

const DECIDING = /* @__PURE__ */ memberPattern("type|message|role")
/** The usage of a tool's own calls may stand anywhere in its result, as may that no reply was to come. */
const DECIDING_OF_RESULT = /* @__PURE__ */ memberPattern("type|message|role|usage|stopReason")
const CONTENT = '"content":['
const CLOSE_BRACKET = 0x5d

/** Whether a message has to be parsed: a key that decides what it says may be in the line again (`memberPattern`). */
function mayRepeat(deciding: RegExp, line: string, bytes: Uint8Array, from: number): boolean {
  const content = line.slice(from, from + WINDOW).indexOf(CONTENT)
  if (content === -1 || /[{[]/.test(line.slice(from, from + content))) return deciding.test(line.slice(from))
  if (deciding.test(line.slice(from, from + content))) return true
  return deciding.test(line.slice(nextMember(bytes, from + content + CONTENT.length, bytes.length, CLOSE_BRACKET)))
}

const RECORD = '{"type":"'
const TYPE = /* @__PURE__ */ memberPattern("type")
const HAS_USAGE = /* @__PURE__ */ memberPattern("usage|childUsage")
/** An object of a type that a list shows, or of one that is not a whole name: it may be torn. */
const SHOWN = /\{"type":"(?!(?!(?:message|session_info|title_change)")[a-zA-Z_-]+")/

/**
 * Whether a line certainly has no message, no name, no title and no usage: an entry of another type, without any object in it that could
 * be one of those, glued to it or nested, and without a second type.
 */
export function isUnlisted(line: string): boolean {
  return line.startsWith(RECORD) && !SHOWN.test(line) && !TYPE.test(line.slice(RECORD.length)) && !HAS_USAGE.test(line)
}
