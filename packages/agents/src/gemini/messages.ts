import type { ContentBlock } from "@treelog/session-core"
import { type Json, objectIn, objectsIn } from "../kit.js"
import { partsOf, type Response, responsesIn, splitParts, textOf } from "./parts.js"

/** A message of the conversation as it is now. */
export interface Message {
  /** As Gemini CLI names it now. */
  id: string
  /** As it was written last. */
  record: Json
  /** It is sent before a summary that it stands behind. */
  readonly isStart: boolean
  /** Undefined until it has entries. */
  place?: {
    /** The leaf before them. */
    readonly before: string | null
    /** How many entries there were before. */
    readonly at: number
    /** The first of them; undefined where it has none. */
    readonly own: string | undefined
  }
  /** The results of calls that stand in it, by the ids of these. */
  readonly results: Map<string, { readonly entry: string; content: ContentBlock[] }>
  /** What is sent in the place of entries, and how many entries there were when that was said. */
  readonly edits: Map<string, { readonly content: ContentBlock[] | null; readonly at: number }>
}

export function messageOf(record: Json, isStart = false): Message {
  return { id: String(record.id), record, isStart, results: new Map(), edits: new Map() }
}

/** What Gemini CLI leaves out of what the user said when it goes on with a session. */
export const LEFT_OUT = /^\s*(?:[/?]|<session_context>|<hook_context>)/
/** What the program says before the first prompt. */
const CONTEXT = /^\s*(?:<session_context>|This is the Gemini CLI\.)/

/** The parts of what the user said, and of what the program said before the first prompt, which can stand in one message. */
export function inputOf(record: Json) {
  const { responses, rest } = splitParts(partsOf(record.content))
  const isContext = ({ text }: Json): boolean => typeof text === "string" && CONTEXT.test(text)
  return { responses, context: rest.filter(isContext), said: rest.filter((part) => !isContext(part)) }
}

export function isContext(record: Json): boolean {
  return record.type === "user" && inputOf(record).context.length > 0
}

/** The parts of a reply: its content has all of them where it has a call or a thought. */
export function replyParts(record: Json): Json[] {
  const said = partsOf(record.content)
  const thoughts = objectsIn(record.thoughts).map(thoughtPart)
  const isWhole = said.some(({ functionCall, thought }) => functionCall !== undefined || thought === true)
  if (isWhole) return said.some(({ thought }) => thought === true) ? said : [...thoughts, ...said]
  return [...thoughts, ...said, ...objectsIn(record.toolCalls).map((call) => ({ functionCall: call }))]
}

function thoughtPart({ subject, description }: Json): Json {
  const text = typeof subject === "string" && subject !== "" ? `**${subject}** ${description}` : description
  return { thought: true, text }
}

/** The results of a call, of which older versions have only the text. */
export function responsesOf(call: Json): Response[] {
  const { id, name, result } = call
  if (typeof result === "string") return responsesIn([{ functionResponse: { id, name, response: { output: result } } }])
  return responsesIn(partsOf(result ?? []))
}

/** All results in a message: those of its calls, each of which can have those of the others too, or those that it consists of. */
export function resultsIn(record: Json): Response[] {
  if (record.type === "user") return inputOf(record).responses
  const ids = new Set<string>()
  return objectsIn(record.toolCalls)
    .flatMap(responsesOf)
    .filter(({ id }) => !ids.has(id) && ids.add(id))
}

/** What a message says, but for thoughts and results: these can stand with a call, or behind it. */
export function itemsOf(record: Json): string[] {
  if (record.type === "user") {
    const { context, said } = inputOf(record)
    return [...context.map(() => "context"), ...said.map((part) => itemOf(part))]
  }
  if (record.type !== "gemini") return []
  const parts = replyParts(record)
  const calls = parts.flatMap((part): Json[] => [objectIn(part, "functionCall")].filter((call) => call !== undefined))
  const said = calls.map(({ id, name, args }) => `call ${id || `${name} ${JSON.stringify(args)}`}`)
  const text = textOf(parts).trim()
  return text === "" ? said : [text, ...said]
}

function itemOf(part: Json): string {
  return typeof part.text === "string" ? part.text.trim() : JSON.stringify(part)
}

/** What Gemini CLI says to the model, and does not store, where a prompt follows results that were not answered. */
const INTERRUPTED = "[The previous response was interrupted before it completed.]"

export function interruption({ id, timestamp }: Json): Json {
  return { type: "gemini", id: `${id}:interrupted`, timestamp, content: [{ text: INTERRUPTED }] }
}

export function isPrompt(record: Json): boolean {
  if (record.type !== "user") return false
  const { responses, said } = inputOf(record)
  return responses.length === 0 && said.length > 0
}

/** Whether a prompt stands in a copy that treelog wrote, behind results with nothing between, as it is sent once the copy is gone on with. */
export function isAsSent(record: Json): boolean {
  return record.treelog === "as-sent"
}

/** Whether the last that was said are results. */
export function isUnanswered(messages: readonly Message[]): boolean {
  let at = messages.length - 1
  while (at >= 0 && !["user", "gemini"].includes(String(messages[at]?.record.type))) at -= 1
  return resultsIn(messages[at]?.record ?? {}).length > 0
}

/** What Gemini CLI leaves out when it goes on with a session. */
function isIgnored(record: Json): boolean {
  if (textOf(partsOf(record.content)) === INTERRUPTED) return true
  if (record.type !== "user") return false
  const { context, said } = inputOf(record)
  return said.length === 0 ? context.length > 0 : /^\s*(?:[/?]|<hook_context>)/.test(textOf(said))
}

/** A message of a new list with those that it stands for: several where Gemini CLI joined them, none where it has nothing but results again. */
export type Pair = readonly [record: Json, messages: readonly Message[]]

/**
 * Compares a new list of messages with those that there are, from the first on, up to one that says something else.
 * @returns the pairs; how many messages stay; and those of them that are no longer sent
 */
export function matched(records: readonly Json[], messages: readonly Message[]) {
  const pairs: Pair[] = []
  const omitted: Message[] = []
  let kept = 0
  for (const record of records) {
    const found = standsFor(record, messages, kept)
    if (!found) break
    pairs.push([record, found.messages])
    omitted.push(...found.omitted)
    kept = found.next
  }
  const listed = new Set(records.map(({ id }) => String(id)))
  const isSilent = (one: Message): boolean =>
    itemsOf(one.record).length === 0 && (!listed.has(one.id) || one.place !== undefined)
  for (let one = messages[kept]; one && isSilent(one); one = messages[kept]) kept++
  return { pairs, kept, omitted }
}

function standsFor(record: Json, messages: readonly Message[], from: number) {
  const wanted = itemsOf(record)
  const found: Message[] = []
  const omitted: Message[] = []
  let [has, next] = [0, from]
  for (let one = messages[next]; one && has < wanted.length; one = messages[++next]) {
    const items = itemsOf(one.record)
    const isNext = items.every((item, at) => item === wanted[has + at])
    const isWritten = has === 0 && one.id === record.id && record.type === "user" && one.record.type === "user"
    if (isNext || isWritten) {
      if (items.length > 0) found.push(one)
      has = isNext ? has + items.length : wanted.length
    } else if (isIgnored(one.record)) omitted.push(one)
    else return undefined
  }
  return has < wanted.length ? undefined : { messages: found, omitted, next }
}

const THANKS = "Got it. Thanks for the additional context!"

/** Whether messages begin with the summary of what was said before, which a fixed reply follows, or which treelog wrote. */
export function isSummary([first, second]: readonly Json[]): boolean {
  if (first?.type !== "user") return false
  if (first.treelog === "summary") return true
  const isThanked = second?.type === "gemini" && textOf(partsOf(second.content)) === THANKS
  return isThanked || textOf(partsOf(first.content)).includes("<state_snapshot>")
}

/** Whether a message is no longer sent. */
export function isLeftOut({ place, edits }: Message): boolean {
  return place?.own !== undefined && edits.get(place.own)?.content === null
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
