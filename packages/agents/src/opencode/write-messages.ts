import { contentText } from "@treelog/session-core"
import { type Json, objectsIn } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  digestOf,
  type WrittenBlock,
  type WrittenCall,
  type WrittenCompaction,
  type WrittenPrompt,
  type WrittenReply,
  type WrittenResult,
  type WrittenSaid,
  type WrittenStep,
} from "@treelog-internal/agent-files/write"
import { QUESTION } from "./blocks.js"

/** A message and its parts, as `opencode import` takes them. */
export interface WrittenMessage extends Json {
  readonly info: Json
  readonly parts: Json[]
}

/** What opencode keeps otherwise than others. With another model, it would send a thought as text of the reply. */
export const OPENCODE_RULES: CopyTarget["rules"] = {
  thought: () => ["dropped", "signed for its own model"],
  image: (_, isFailed) => (isFailed ? ["dropped", "a failure has none in opencode"] : ["preserved"]),
  hasNestedSubAgents: true,
  compactionReason: "as the answer to opencode's question for it",
}

/** The id of the session of a sub-agent. @param name of its transcript in the source */
export function childId({ id }: Pick<CopySource, "id">, name: string): string {
  return sessionId(id, "agent", name)
}

/** An id as opencode's, but made of texts. */
export function sessionId(...texts: readonly string[]): string {
  return `ses_${digestOf(...texts).slice(0, 26)}`
}

/**
 * The messages of a session. Their ids are numbers that go up, for opencode takes a prompt with a lower id than the last reply for one that was
 * answered, with a digest of what they have: the message that is there is the one that would be written.
 * @param session the id of the session
 * @param model what the user's next prompt is for
 */
export function sessionMessages(
  source: CopySource,
  session: string,
  steps: readonly WrittenStep[],
  model: Json,
): WrittenMessage[] {
  const messages = new SessionMessages(source, model)
  for (const step of steps) {
    if (step.kind === "compaction") messages.compacted(step)
    else messages.said(step, false)
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
  /** Whether a reply that follows at once is a summary. */
  #isAsked = false
  /** The last call with each id, which gets its result. */
  readonly #calls = new Map<string, { state: Json }>()

  constructor(source: CopySource, model: Json) {
    this.#source = source
    this.#model = model
  }

  /** opencode asks for the summary, and the reply is it: where that is not of the compaction, the next one. What was kept follows again. */
  compacted({ entry, time, kept }: WrittenCompaction): void {
    // The question of a compaction that opencode made is in what its model gets, and in copies what others have for its summary.
    const isQuestion = ({ kind, step, blocks }: WrittenSaid): boolean =>
      kind === "prompt" && step.entry === entry && contentText(blocks).replace(AROUND, "") === QUESTION
    const isSummary = ({ step }: WrittenSaid): boolean => step.stored.role === "compactionSummary"
    const said = kept.filter((one) => !isQuestion(one))
    const summary = said.filter(isSummary).at(-1) ?? said[0]
    this.#add(this.#userInfo(time), [{ type: "compaction", auto: true }])
    this.#isAsked = kept.length > 0 && said.length === 0
    if (summary) {
      const info = this.#replyInfo(time, summary.step.message as unknown as Json)
      this.#add({ ...info, ...SUMMARY }, [{ type: "text", text: contentText(summary.blocks) }])
    }
    for (const one of said) if (one !== summary) this.said(one, true)
  }

  /** @param isRepeated whether it was said before, and a compaction kept it: it is sent, and not shown */
  said(said: WrittenSaid, isRepeated: boolean): void {
    if (said.kind === "reply") this.#reply(said)
    else if (said.kind === "result") this.#result(said)
    else this.#prompt(said, isRepeated)
  }

  #prompt({ step, blocks, isSaid, typed: typedText }: WrittenPrompt, isRepeated: boolean): void {
    this.#isAsked = false
    const typed = isRepeated ? undefined : typedText
    const synthetic = (!isSaid || isRepeated || typed !== undefined) && { synthetic: true }
    const parts = blocks.flatMap((block): Json[] =>
      block.type === "text" ? [{ type: "text", text: block.text, ...synthetic }] : fileParts(block),
    )
    if (parts.length === 0) return
    const shown = typed === undefined ? [] : [{ type: "text", text: typed, ignored: true }]
    this.#add(this.#userInfo(step.time), [...shown, ...parts])
  }

  #reply({ step: { time }, message, blocks }: WrittenReply): void {
    const parts = blocks.flatMap((block): Json[] => {
      if (block.type === "text") return [{ type: "text", text: block.text, time: { start: time, end: time } }]
      return block.type === "toolCall" ? [this.#call(block, time)] : []
    })
    const finish = parts.some(({ type }) => type === "tool") ? "tool-calls" : "stop"
    const steps = [{ type: "step-start" }, ...parts, { type: "step-finish", reason: finish, cost: 0, tokens: NONE }]
    const summary = this.#isAsked && SUMMARY
    this.#isAsked = false
    this.#add({ ...this.#replyInfo(time, message as unknown as Json), finish, ...summary }, steps)
  }

  #call({ id: callID, name: tool, arguments: input }: WrittenCall, time: number): Json {
    const part = {
      type: "tool",
      callID,
      tool,
      metadata: OF_COPIES,
      state: { status: "pending", input, raw: "", time: { start: time } },
    }
    this.#calls.set(callID, part)
    return part
  }

  /** The result stands in the part of its call; one of a failure is a text. */
  #result({ step, call: id, blocks, isFailed, subAgent }: WrittenResult): void {
    const call = this.#calls.get(id)
    if (!call) return
    const { input, time: started } = call.state
    const text = contentText(blocks)
    const attachments = blocks.flatMap(fileParts)
    const own = { input, time: { ...(started as Json), end: step.time } }
    const metadata = subAgent ? { sessionId: childId(this.#source, subAgent.name) } : {}
    call.state = isFailed
      ? { status: "error", ...own, error: text, metadata }
      : {
          status: "completed",
          ...own,
          output: text,
          title: subAgent?.title ?? "",
          metadata,
          ...(attachments.length > 0 && { attachments }),
        }
  }

  #userInfo(time: number): Json {
    return { role: "user", time: { created: time }, agent: "build", model: this.#model }
  }

  #replyInfo(time: number, { provider = "unknown", model = "unknown" }: Json): Json {
    const { cwd } = this.#source
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

/** The words of Copilot CLI around a summary. */
const AROUND = /^[\s\S]*<summary>\s*|\s*<\/summary>$/g

/** What a reply has that is a summary. */
const SUMMARY = { summary: true, mode: "compaction", agent: "compaction" }
/** APIs for chats leave nothing in the parts of calls, and get pictures behind results: a reader takes calls without this for theirs. */
const OF_COPIES = { treelog: {} }
const NONE = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function fileParts(block: WrittenBlock): Json[] {
  if (block.type !== "image") return []
  const { mimeType: mime, data } = block
  return [{ type: "file", mime, filename: `image.${mime.replace(/^.*\//, "")}`, url: `data:${mime};base64,${data}` }]
}
