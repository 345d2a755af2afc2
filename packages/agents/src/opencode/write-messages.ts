import { type AssistantMessage, type ContentBlock, contentText } from "@treelog/session-core"
import { type Json, objectsIn } from "@treelog-internal/agent-files"
import {
  CallIds,
  type CompactionStep,
  type CopySource,
  digestOf,
  type SaidStep,
  typedPrompt,
  writtenCall,
} from "@treelog-internal/agent-files/write"

type Count = CopySource["pieces"]["count"]

/** A message and its parts, as `opencode import` takes them. */
export interface WrittenMessage extends Json {
  readonly info: Json
  readonly parts: Json[]
}

/**
 * The messages of a session. Their ids are numbers that go up, for opencode takes a prompt with a lower id than the last reply for one that was
 * answered, with a digest of what they have: the message that is there is the one that would be written.
 * @param session the id of the copy
 * @param model what the user's next prompt is for
 */
export function sessionMessages(source: CopySource, session: string, model: Json): WrittenMessage[] {
  const messages = new SessionMessages(source, model)
  for (const step of source.steps) {
    if (step.kind === "compaction") messages.compacted(step)
    else messages.said(step)
  }
  return withIds(messages.all, session)
}

/** Whether treelog gave a message its id. */
export function isWrittenId(session: string, id: string): boolean {
  const [, number = "", content = "", check = ""] = /^msg_([0-9a-f]{12})([0-9a-f]{7})([0-9a-f]{7})$/.exec(id) ?? []
  return check !== "" && check === checkOf(session, number, content)
}

function checkOf(session: string, number: string, content: string): string {
  return digestOf(session, number, content).slice(0, 7)
}

/** Replies name the prompt before them. */
function withIds(messages: readonly WrittenMessage[], session: string): WrittenMessage[] {
  let parts = 0
  let prompt: string | undefined
  const numberOf = (at: number): string => at.toString(16).padStart(12, "0")
  return messages.map(({ info, parts: own }, at) => {
    const number = numberOf(at)
    const content = digestOf(JSON.stringify([info, own])).slice(0, 7)
    const id = `msg_${number}${content}${checkOf(session, number, content)}`
    const of = { sessionID: session, messageID: id }
    const idOf = (): Json => ({ id: `prt_${numberOf(parts++)}${id.slice(-14)}`, ...of })
    if (info.role === "user") prompt = id
    const parent = info.role === "assistant" && { parentID: prompt ?? id }
    return {
      info: { ...info, id, sessionID: session, ...parent },
      parts: own.map((part) => ({ ...part, ...idOf(), ...withFiles(part, idOf) })),
    }
  })
}

/** The files of a result have ids, too. */
function withFiles({ state }: Json, idOf: () => Json): Json {
  const { attachments } = (state ?? {}) as Json
  if (attachments === undefined) return {}
  return { state: { ...(state as Json), attachments: objectsIn(attachments).map((file) => ({ ...file, ...idOf() })) } }
}

class SessionMessages {
  readonly all: WrittenMessage[] = []
  readonly #source: CopySource
  readonly #model: Json
  readonly #ids = new CallIds()
  /** The last call with each id, which gets its result. */
  readonly #calls = new Map<string, { state: Json }>()

  constructor(source: CopySource, model: Json) {
    this.#source = source
    this.#model = model
  }

  /** opencode asks for the summary, and the reply is it. What was kept follows again. */
  compacted({ entry, time, context }: CompactionStep): void {
    const kept = context.filter(({ isOfProgram }) => !isOfProgram)
    const isSummary = ({ stored }: SaidStep): boolean => stored.role === "compactionSummary"
    const summaries = kept.some(isSummary) ? kept.filter(isSummary) : kept.slice(0, 1)
    const summary = summaries.at(-1)
    this.#add(this.#userInfo(time), [{ type: "compaction", auto: true }])
    if (summary) {
      const text = contentText(blocksOf(summary.message.content))
      const info = {
        ...this.#replyInfo(time, summary.message as unknown as Json),
        summary: true,
        mode: "compaction",
        agent: "compaction",
      }
      this.#add(info, [{ type: "text", text }])
    }
    for (const step of kept) if (step !== summary) this.#said(step, () => undefined, true)
    this.#source.pieces.count(entry, "compactions", "partial", "as the answer to opencode's question for it")
  }

  said(step: SaidStep): void {
    const { pieces } = this.#source
    if (step.isOfProgram) pieces.count(step.entry, "text", "dropped", "what its agent says by itself")
    else this.#said(step, (...args) => pieces.count(...args))
  }

  /** @param isRepeated whether it was said before, and a compaction kept it: it is sent, and not shown */
  #said(step: SaidStep, count: Count, isRepeated = false): void {
    const { message } = step
    if (message.role === "assistant") this.#reply(step, message, count)
    else if (message.role === "toolResult") this.#result(step, message, count)
    else this.#prompt(step, count, isRepeated)
  }

  #prompt(step: SaidStep, count: Count, isRepeated: boolean): void {
    const { entry, message, stored, time } = step
    const blocks = blocksOf(message.content)
    const typed = isRepeated ? undefined : typedPrompt(step)
    const isSaid = stored.role === "user"
    const synthetic = (!isSaid || isRepeated || typed !== undefined) && { synthetic: true }
    const parts = blocks.flatMap((block): Json[] => {
      const { type, text } = block as Json
      return type === "text" && text ? [{ type, text, ...synthetic }] : fileParts(block)
    })
    if (parts.length === 0) return
    count(entry, "images", "preserved", undefined, parts.filter(({ type }) => type === "file").length)
    const shown = typed === undefined ? [] : [{ type: "text", text: typed, ignored: true }]
    this.#add(this.#userInfo(time), [...shown, ...parts])
    count(entry, "text", isSaid ? "preserved" : "partial", isSaid ? undefined : "as text of the user")
    count(entry, "compactions", "partial", "its summary as text")
  }

  #reply({ entry, time }: SaidStep, message: AssistantMessage, count: Count): void {
    const parts = (blocksOf(message.content) as Json[]).flatMap((block): Json[] => {
      const { type, text } = block
      if (type === "text" && text) {
        count(entry, "text", "preserved")
        return [{ type, text, time: { start: time, end: time } }]
      }
      if (type === "toolCall") return [this.#call(entry, block, time, count)]
      // With another model, opencode would send a thought as text of the reply.
      if (type === "thinking") count(entry, "thinking", "dropped", `signed for ${message.provider}`)
      return []
    })
    if (parts.length === 0) return
    const finish = parts.some(({ type }) => type === "tool") ? "tool-calls" : "stop"
    const steps = [{ type: "step-start" }, ...parts, { type: "step-finish", reason: finish, cost: 0, tokens: NONE }]
    this.#add({ ...this.#replyInfo(time, message), finish }, steps)
  }

  #call(entry: string, block: Json, time: number, count: Count): Json {
    const callID = this.#ids.ofCall(entry, String(block.id))
    const { name: tool, args: input } = writtenCall(this.#source, "opencode", entry, block, count)
    const part = { type: "tool", callID, tool, state: { status: "pending", input, raw: "", time: { start: time } } }
    this.#calls.set(callID, part)
    return part
  }

  /** The result stands in the part of its call; one of a failure is a text. */
  #result(step: SaidStep, message: Extract<SaidStep["message"], { role: "toolResult" }>, count: Count): void {
    const { entry, time, isAdded } = step
    const call = this.#calls.get(this.#ids.ofResult(message.toolCallId))
    if (!call) return
    const blocks = blocksOf(message.content)
    const { input, time: started } = call.state
    const text = contentText(blocks)
    const attachments = blocks.flatMap(fileParts)
    const isError = message.isError === true
    const own = { input, time: { ...(started as Json), end: time } }
    call.state = isError
      ? { status: "error", ...own, error: text }
      : {
          status: "completed",
          ...own,
          output: text,
          title: "",
          metadata: {},
          ...(attachments.length > 0 && { attachments }),
        }
    const fate = isError ? "dropped" : "preserved"
    count(entry, "images", fate, isError ? "a failure has none in opencode" : undefined, attachments.length)
    // One that was added is none of the source's.
    if (!isAdded) count(entry, "results", "preserved")
  }

  #userInfo(time: number): Json {
    return { role: "user", time: { created: time }, agent: "build", model: this.#model }
  }

  #replyInfo(time: number, message: AssistantMessage | Json): Json {
    const { cwd } = this.#source
    const { provider = "unknown", model = "unknown" } = message as Json
    const names = { providerID: provider, modelID: model, mode: "build", agent: "build" }
    const path = { cwd, root: cwd }
    return {
      role: "assistant",
      time: { created: time, completed: time },
      ...names,
      path,
      cost: 0,
      tokens: NONE,
      finish: "stop",
    }
  }

  #add(info: Json, parts: Json[]): void {
    this.all.push({ info, parts })
  }
}

const NONE = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function blocksOf(content: unknown): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (objectsIn(content) as ContentBlock[])
}

function fileParts(block: ContentBlock): Json[] {
  const { type, data, mimeType: mime } = block as Json
  if (type !== "image" || typeof data !== "string") return []
  const filename = `image.${String(mime).replace(/^.*\//, "")}`
  return [{ type: "file", mime, filename, url: `data:${String(mime)};base64,${data}` }]
}
