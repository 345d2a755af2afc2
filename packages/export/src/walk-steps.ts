import { buildTranscript, isEntry, type SessionEntry } from "@treelog/session-core"
import { openedParts, partOf } from "@treelog/session-core/adapter"
import type { ModelUsage } from "@treelog/session-core/search"
import { blocksOf, type Fields, isObject, textOf } from "@treelog-internal/text"
import type { PartName, Step, StepCall, StepContext, StepReply, StepResult } from "./step.js"
import { blockContent, messageContent } from "./step-content.js"

/** What is walked. */
export interface WalkSource {
  /** The entries of the branch, or all of them in the order of the file, as they are stored. Iterated twice. */
  entries(): Iterable<SessionEntry>
  entry(id: string): SessionEntry | undefined
  /** As it is exported; undefined where nothing of it is wanted. Called once for each entry. */
  redacted(entry: SessionEntry): Promise<SessionEntry | undefined>
  /** The names of the parts that are exported with it. */
  readonly parts: ReadonlySet<PartName>
  /** Whether another transcript of the export has the entry. */
  isCopy(entry: SessionEntry): boolean
  /** What an entry used, unless that counts elsewhere. Called once for each entry. */
  usagesOf(entry: SessionEntry): readonly ModelUsage[]
}

/** Walks over the entries, and yields what they say. Holds one reply with its results, and a state for each entry. */
export async function* walkSteps(source: WalkSource): AsyncGenerator<Step> {
  const links = new Links(source.entries())
  const states = new Map<string | null, State>()
  for (const stored of source.entries()) {
    const before = states.get(stored.parentId) ?? START
    const entry = links.isAnswer(stored.id) ? undefined : await source.redacted(stored)
    const state = stateAt(entry ?? stored, before)
    states.set(stored.id, state)
    const said = entry && (await saidOf(entry, { source, links, before }))
    if (!entry || !said) continue
    const { step: parentId, time: timeBefore } = before
    yield {
      ...NOTHING,
      ...said,
      id: entry.id,
      parentId,
      time: timeOf(entry),
      timeBefore,
      isCopy: source.isCopy(stored),
    }
    state.step = entry.id
  }
}

const NOTHING = { content: [], results: [], otherUsages: [], parts: [] } as const

/** What holds behind an entry. */
interface State {
  readonly level: string | undefined
  readonly isCompacted: boolean
  readonly time: number | undefined
  /** The id of the last step on its path. */
  step: string | null
}

const START: State = { level: undefined, isCompacted: false, time: undefined, step: null }

function stateAt(entry: SessionEntry, before: State): State {
  const state = { ...before, time: timeOf(entry) ?? before.time }
  if (isEntry(entry, "thinking_level_change")) return { ...state, level: entry.thinkingLevel ?? "off" }
  if (isEntry(entry, "compaction")) return { ...state, isCompacted: true }
  return isEntry(entry, "reset_boundary") ? { ...state, isCompacted: false } : state
}

function timeOf({ timestamp }: SessionEntry): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  // 0 stands for no time.
  return time > 0 ? time : undefined
}

/** Which results answer which reply, and which parts belong to which call: what stands behind a call in the session. */
class Links {
  /** The ids of the entries of results, by the id of the reply's entry. */
  readonly #results = new Map<string, string[]>()
  readonly #answers = new Set<string>()
  readonly #parts = new Map<string, Set<PartName>>()
  /** The parts that a call names. */
  readonly called = new Set<PartName>()

  constructor(entries: Iterable<SessionEntry>) {
    const replies = new Map<string, string>()
    for (const entry of entries) {
      const part = partOf(entry)
      const message: Fields = isEntry(entry, "message") && isObject(entry.message) ? entry.message : {}
      for (const { name, call } of part ? [part] : openedParts(message))
        if (call !== undefined) {
          this.#parts.set(call, (this.#parts.get(call) ?? new Set()).add(name))
          this.called.add(name)
        }
      if (message.role === "assistant") for (const { id } of callsIn(message)) replies.set(textOf(id), entry.id)
      const reply = message.role === "toolResult" ? replies.get(textOf(message.toolCallId)) : undefined
      if (reply === undefined) continue
      this.#answers.add(entry.id)
      this.#results.set(reply, [...(this.#results.get(reply) ?? []), entry.id])
    }
  }

  /** Whether an entry is the result of a call. */
  isAnswer(id: string): boolean {
    return this.#answers.has(id)
  }

  resultsOf(reply: string): readonly string[] {
    return this.#results.get(reply) ?? []
  }

  partsOf(call: string): readonly PartName[] {
    return [...(this.#parts.get(call) ?? [])]
  }
}

interface Surroundings {
  readonly source: WalkSource
  readonly links: Links
  readonly before: State
}

type Said = Pick<Step, "source" | "kind"> & Partial<Step>

async function saidOf(entry: SessionEntry, surroundings: Surroundings): Promise<Said | undefined> {
  const { source, links } = surroundings
  const { type, message } = entry as unknown as Fields
  const isReply = type === "message" && isObject(message) && message.role === "assistant"
  if (isReply) return replyOf(entry, message, surroundings)
  const used = source.usagesOf(entry)
  const otherUsages = used.length > 0 && { otherUsages: used }
  const part = partOf(entry)
  if (part && source.parts.has(part.name) && !links.called.has(part.name))
    return { source: "system", kind: part.role, parts: [part.name] }
  const said = contextOf(entry) ?? messageOf(entry)
  return said || otherUsages ? { source: "agent", kind: entry.type, ...said, ...otherUsages } : undefined
}

function contextOf(entry: SessionEntry): Said | undefined {
  const change = (context: StepContext, text?: unknown): Said => ({
    ...{ source: "system", kind: entry.type, context },
    content: blockContent(text),
  })
  if (isEntry(entry, "compaction")) {
    const { firstKeptEntryId: first, summary } = entry
    return change({ type: "compaction", ...(first !== undefined && { firstKeptEntryId: first }) }, summary)
  }
  if (isEntry(entry, "reset_boundary")) return change({ type: "reset" })
  if (isEntry(entry, "context_edit"))
    return change({ type: "edit", targetId: entry.targetId }, entry.replacement?.content)
  if (!isEntry(entry, "session_init")) return undefined
  return { source: "system", kind: entry.type, content: blockContent(entry.systemPrompt) }
}

function messageOf(entry: SessionEntry): Said | undefined {
  const [item] = buildTranscript([entry])
  const message = item?.message as Fields | undefined
  if (!message) return undefined
  const kind = textOf(message.role)
  if (kind === "toolResult") return { source: "agent", kind, results: [resultOf(entry)] }
  return { source: OF_USER.has(kind) ? "user" : "system", kind, content: messageContent(message) }
}

const OF_USER: ReadonlySet<string> = new Set(["user", "bashExecution", "pythonExecution", "fileMention"])

async function replyOf(entry: SessionEntry, message: Fields, { source, links, before }: Surroundings): Promise<Said> {
  const results: StepResult[] = []
  const otherUsages: ModelUsage[] = []
  for (const id of links.resultsOf(entry.id)) {
    const stored = source.entry(id)
    const result = stored && (await source.redacted(stored))
    if (!result) continue
    results.push(resultOf(result))
    otherUsages.push(...source.usagesOf(result))
  }
  const [usage, ...more] = source.usagesOf(entry)
  otherUsages.push(...more)
  const thoughts = blocksOf(message.content).map(({ type, thinking }) => (type === "thinking" ? thinking : ""))
  const reply: StepReply = {
    provider: ownText(message.provider),
    model: ownText(message.model),
    responseId: ownText(message.responseId),
    thinking: thoughts.filter((text): text is string => typeof text === "string" && text.trim() !== ""),
    calls: callsOf(message, results, (id) => links.partsOf(id).filter((name) => source.parts.has(name))),
    usage,
    stopReason: ownText(message.stopReason),
    errorMessage: ownText(message.errorMessage),
    level: before.level,
    isCompacted: before.isCompacted,
  }
  const lost = results.filter(({ callId }) => !callsIn(message).some(({ id }) => id === callId))
  return {
    source: "agent",
    kind: "assistant",
    content: blockContent(message.content),
    reply,
    results: lost,
    otherUsages,
  }
}

function callsIn(message: object): Fields[] {
  return blocksOf((message as Fields).content).filter(({ type }) => type === "toolCall")
}

/** Of calls with the same id, the first has the results, and the others get another one. */
function callsOf(
  message: Fields,
  results: readonly StepResult[],
  partsOf: (call: string) => readonly PartName[],
): StepCall[] {
  const ids = new Set<string>()
  return callsIn(message).map(({ id: given, name, arguments: values }) => {
    const stored = textOf(given)
    const isFirst = !ids.has(stored)
    let id = stored
    for (let number = 2; ids.has(id); number++) id = `${stored}:${number}`
    ids.add(id)
    return {
      id,
      name: textOf(name),
      arguments: isObject(values) ? values : values === undefined ? {} : { input: values },
      results: isFirst ? results.filter(({ callId }) => callId === stored) : [],
      parts: isFirst ? partsOf(stored) : [],
    }
  })
}

function resultOf(entry: SessionEntry): StepResult {
  const { toolCallId, toolName, content, isError } = (entry as unknown as { message: Fields }).message
  return {
    id: entry.id,
    callId: textOf(toolCallId),
    toolName: textOf(toolName),
    time: timeOf(entry),
    content: blockContent(content),
    isError: isError === true,
  }
}

function ownText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}
