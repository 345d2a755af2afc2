import { createHash } from "node:crypto"
import { contentText } from "@treelog/session-core"
import { type Json, textIn } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  derivedUuid,
  type ImageBlock,
  speaksBehindCalls,
  subAgentId,
  textsIn,
  type WrittenBlock,
  type WrittenCall,
  type WrittenCompaction,
  type WrittenPrompt,
  type WrittenReply,
  type WrittenResult,
  type WrittenSaid,
} from "@treelog-internal/agent-files/write"

/** What Copilot says before a picture that was no file. */
const IMAGE = "Attached image"

/** Who says what no person typed: Copilot does not show it, and sends it. */
const SOURCE = "treelog"

/** What Copilot CLI keeps otherwise than others. It keeps the pictures of a result, and sends its text alone. */
export const COPILOT_RULES: CopyTarget["rules"] = {
  thought: ({ thinking }) =>
    thinking === ""
      ? ["dropped", "sealed for its own model"]
      : ["evidence", "signed for its own model: shown, and not sent"],
  image: (of, isFailed) =>
    of === "prompt"
      ? ["partial", `behind "${IMAGE}"`]
      : [isFailed ? "dropped" : "evidence", "Copilot sends no pictures of results"],
  replyReason: (content) =>
    textsIn(content) > 1 || speaksBehindCalls(content) ? "its texts in one, before its calls" : undefined,
  promptReason: (blocks) => (blocks.filter(({ type }) => type === "text").length > 1 ? "its texts in one" : undefined),
  compactionReason: "Copilot puts what was typed before its summary",
}

/** The events of a session behind the first. */
export function sessionEvents(source: CopySource): Json[] {
  const events = new SessionEvents(source)
  for (const step of source.steps) {
    if (step.kind === "compaction") events.compacted(step)
    else events.said(step, true)
  }
  return events.all
}

class SessionEvents {
  readonly all: Json[] = []
  readonly #source: CopySource
  readonly #seen = new Map<string, number>()
  /** The pictures that are there already, by their digests. */
  readonly #assets = new Set<string>()
  /** The sub-agent whose events they are. */
  #agent: string | undefined
  #last: string
  #time = 0

  constructor(source: CopySource) {
    this.#source = source
    this.#last = startId(source)
  }

  /** Copilot says what was typed before the summary, which keeps nothing: what was kept follows again. */
  compacted({ entry, time, kept, tokensBefore }: WrittenCompaction): void {
    this.#time = time
    const summary = kept.find(({ step }) => step.stored.role === "compactionSummary") ?? kept[0]
    const said = contentText(summary?.blocks)
    // Copilot has words of its own around it.
    const plain = textIn((summary?.step.stored ?? {}) as Json, "summary")
    const summaryContent = plain !== undefined && said.includes(plain) ? plain : said
    const data = { success: true, preCompactionTokens: tokensBefore, summaryContent }
    this.#event(entry, "session.compaction_complete", data)
    for (const one of kept) if (one !== summary) this.said(one, false)
  }

  /** @param isNew whether it is said here, and not kept by a compaction */
  said(said: WrittenSaid, isNew: boolean): void {
    this.#time = said.step.time
    if (said.kind === "reply") this.#reply(said)
    else if (said.kind === "result") this.#result(said)
    else this.#prompt(said, isNew)
  }

  #prompt({ step: { entry }, blocks, isSaid, typed }: WrittenPrompt, isNew: boolean): void {
    const text = contentText(blocks)
    const attachments = blocks.filter(isImage).map((block) => ({ type: "blob", ...this.#asset(entry, block) }))
    if (text === "" && attachments.length === 0) return
    const content = typed ?? text
    const sent = content !== text && { transformedContent: text }
    const more = { ...(attachments.length > 0 && { attachments }), ...(!(isSaid && isNew) && { source: SOURCE }) }
    this.#event(entry, "user.message", { content, ...sent, ...more })
  }

  #reply({ step: { entry }, message: { model }, blocks }: WrittenReply): void {
    const calls = blocks.filter((block) => block.type === "toolCall")
    const toolRequests = calls.map(({ id: toolCallId, name, arguments: args }) => ({
      ...{ toolCallId, name, arguments: args },
      type: "function",
    }))
    const reasoningText = blocks.flatMap((block) => (block.type === "thinking" ? [block.thinking] : [])).join("\n")
    const messageId = this.#idOf(entry)
    const thought = reasoningText !== "" && { reasoningText }
    this.#event(entry, "assistant.message", {
      messageId,
      model,
      content: contentText(blocks),
      toolRequests,
      ...thought,
    })
    for (const call of calls) this.#addSubAgent(entry, call)
  }

  /** What a sub-agent said stands behind its call, with its id. */
  #addSubAgent(entry: string, { id: toolCallId, subAgent }: WrittenCall): void {
    if (!subAgent) return
    const { title, steps } = subAgent
    const named = { toolCallId, agentName: "task", agentDisplayName: title }
    this.#agent = subAgentId(this.#source, subAgent)
    this.#event(entry, "subagent.started", { ...named, agentDescription: title })
    for (const step of steps) if (step.kind !== "compaction") this.said(step, true)
    this.#event(entry, "subagent.completed", named)
    this.#agent = undefined
  }

  #result({ step: { entry }, call: toolCallId, blocks, isFailed }: WrittenResult): void {
    const content = contentText(blocks)
    const pictures = blocks.filter(isImage).map((block) => ({ type: "image", ...this.#asset(entry, block) }))
    const binaryResultsForLlm = pictures.length > 0 && { binaryResultsForLlm: pictures }
    const result = isFailed
      ? { error: { message: content, code: "failure" } }
      : { result: { content, ...binaryResultsForLlm } }
    this.#event(entry, "tool.execution_complete", { toolCallId, success: !isFailed, ...result })
  }

  /** A picture, which stands in an event of its own, before the one that names it. */
  #asset(entry: string, { data: base64, mimeType }: ImageBlock): Json {
    const bytes = Buffer.from(base64, "base64")
    const assetId = `sha256:${createHash("sha256").update(bytes).digest("hex")}`
    const named = { assetId, mimeType, byteLength: bytes.length }
    if (!this.#assets.has(assetId))
      this.#event(entry, "session.binary_asset", { ...named, type: "image", data: base64 })
    this.#assets.add(assetId)
    return named
  }

  #event(entry: string, type: string, data: Json): void {
    const id = this.#idOf(entry)
    const of = this.#agent !== undefined && { agentId: this.#agent }
    this.all.push({ type, data, id, timestamp: new Date(this.#time).toISOString(), parentId: this.#last, ...of })
    this.#last = id
  }

  /** The next id for what is of an entry. */
  #idOf(entry: string): string {
    const at = this.#seen.get(entry) ?? 0
    this.#seen.set(entry, at + 1)
    return derivedUuid(this.#source.id, entry, String(at))
  }
}

/** The first event. */
export function startEvent(source: CopySource): Json {
  const { id: sessionId, started, version: copilotVersion, cwd } = source
  const program = { version: 1, producer: "treelog", copilotVersion, startTime: started }
  const data = { sessionId, ...program, context: { cwd }, alreadyInUse: false, remoteSteerable: false }
  return { type: "session.start", data, id: startId(source), timestamp: started, parentId: null }
}

function startId({ id }: CopySource): string {
  return derivedUuid(id, "start")
}

function isImage(block: WrittenBlock): block is ImageBlock {
  return block.type === "image"
}
