import { createHash } from "node:crypto"
import { type AssistantMessage, type ContentBlock, contentText, type ImageContent } from "@treelog/session-core"
import { type Json, objectsIn, textIn } from "@treelog-internal/agent-files"
import {
  CallIds,
  type CompactionStep,
  type CopySource,
  derivedUuid,
  type SaidStep,
  speaksBehindCalls,
  typedPrompt,
  writtenCall,
} from "@treelog-internal/agent-files/write"

type Count = CopySource["pieces"]["count"]

/** What Copilot says before a picture that was no file. */
const IMAGE = "Attached image"

/** Who says what no person typed: Copilot shows it to nobody, and sends it. */
const SOURCE = "treelog"

/** The events of a session behind the first. */
export function sessionEvents(source: CopySource): Json[] {
  const events = new SessionEvents(source)
  for (const step of source.steps) {
    if (step.kind === "compaction") events.compacted(step)
    else events.said(step)
  }
  return events.all
}

class SessionEvents {
  readonly all: Json[] = []
  readonly #source: CopySource
  readonly #ids = new CallIds()
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
  compacted({ entry, time, context, tokensBefore }: CompactionStep): void {
    this.#time = time
    const kept = context.filter(({ isOfProgram }) => !isOfProgram)
    const summary = kept.find(({ stored }) => stored.role === "compactionSummary") ?? kept[0]
    const said = summary ? contentText(blocksOf(summary.message.content)) : ""
    // Copilot has words of its own around it.
    const plain = textIn((summary?.stored ?? {}) as Json, "summary")
    const summaryContent = plain !== undefined && said.includes(plain) ? plain : said
    const data = { success: true, preCompactionTokens: tokensBefore, summaryContent }
    this.#event(entry, "session.compaction_complete", data)
    for (const step of kept) if (step !== summary) this.#said(step, () => undefined)
    this.#source.pieces.count(entry, "compactions", "partial", "Copilot puts what was typed before its summary")
  }

  said(step: SaidStep): void {
    const { pieces } = this.#source
    if (step.isOfProgram) pieces.count(step.entry, "text", "dropped", "what its agent says by itself")
    else this.#said(step, (...args) => pieces.count(...args), true)
  }

  /** @param isNew whether it is said here, and not kept by a compaction */
  #said(step: SaidStep, count: Count, isNew = false): void {
    const { entry, message, time } = step
    this.#time = time
    if (message.role === "assistant") this.#reply(entry, message, count)
    else if (message.role === "toolResult") this.#result(step, message, count)
    else this.#prompt(step, count, isNew)
  }

  #prompt(step: SaidStep, count: Count, isNew: boolean): void {
    const { entry, message, stored } = step
    const blocks = blocksOf(message.content)
    const text = contentText(blocks)
    const attachments = blocks.filter(isImage).map((block) => ({ type: "blob", ...this.#asset(entry, block) }))
    if (text === "" && attachments.length === 0) return
    count(entry, "images", "partial", `behind "${IMAGE}"`, attachments.length)
    const isSaid = stored.role === "user"
    const content = typedPrompt(step) ?? text
    const sent = content !== text && { transformedContent: text }
    const more = { ...(attachments.length > 0 && { attachments }), ...(!(isSaid && isNew) && { source: SOURCE }) }
    this.#event(entry, "user.message", { content, ...sent, ...more })
    if (isSaid && textsIn(blocks) > 1) count(entry, "text", "partial", "its texts in one")
    else count(entry, "text", isSaid ? "preserved" : "partial", isSaid ? undefined : "as text of the user")
    count(entry, "compactions", "partial", "its summary as text")
  }

  #reply(entry: string, { content, provider, model }: AssistantMessage, count: Count): void {
    const said = blocksOf(content)
    const blocks = said as Json[]
    const toolRequests = blocks
      .filter(({ type }) => type === "toolCall")
      .map((block) => this.#call(entry, block, count))
    const text = contentText(said)
    if (textsIn(blocks) > 1 || speaksBehindCalls(said))
      count(entry, "text", "partial", "its texts in one, before its calls")
    else if (text !== "") count(entry, "text", "preserved")
    const thoughts = blocks.filter(({ type }) => type === "thinking")
    for (const { thinking } of thoughts)
      if (thinking) count(entry, "thinking", "evidence", `signed for ${provider}: shown, and not sent`)
      else count(entry, "thinking", "dropped", `sealed for ${provider}`)
    const reasoningText = thoughts.map(({ thinking }) => String(thinking)).join("\n")
    const messageId = this.#idOf(entry)
    const thought = reasoningText !== "" && { reasoningText }
    this.#event(entry, "assistant.message", { messageId, model, content: text, toolRequests, ...thought })
    for (const { id, name } of blocks.filter(({ type }) => type === "toolCall"))
      this.#addSubAgent(String(id), this.#ids.ofResult(String(id)), String(name))
  }

  /** What a sub-agent said stands behind its call, with its id. @param toolCallId the call in the copy */
  #addSubAgent(call: string, toolCallId: string, tool: string): void {
    const { id, subAgents, pieces } = this.#source
    const subAgent = this.#agent === undefined ? subAgents.get(call) : undefined
    if (!subAgent) return
    const { entry, title = tool, steps } = subAgent
    const named = { toolCallId, agentName: "task", agentDisplayName: title }
    this.#agent = derivedUuid(id, "agent", subAgent.name)
    this.#event(entry, "subagent.started", { ...named, agentDescription: title })
    for (const step of steps) if (step.kind === "said" && !step.isOfProgram) this.#said(step, () => undefined, true)
    this.#event(entry, "subagent.completed", named)
    this.#agent = undefined
    pieces.count(entry, "subAgents", "preserved")
  }

  #call(entry: string, block: Json, count: Count): Json {
    const toolCallId = this.#ids.ofCall(entry, String(block.id))
    const { name, args } = writtenCall(this.#source, "copilot", entry, block, count)
    return { toolCallId, name, arguments: args, type: "function" }
  }

  /** Copilot keeps the pictures of a result, and sends its text alone. */
  #result(
    { entry, isAdded }: SaidStep,
    message: Extract<SaidStep["message"], { role: "toolResult" }>,
    count: Count,
  ): void {
    const blocks = blocksOf(message.content)
    const content = contentText(blocks)
    const pictures = blocks.filter(isImage).map((block) => ({ type: "image", ...this.#asset(entry, block) }))
    const binaryResultsForLlm = pictures.length > 0 && { binaryResultsForLlm: pictures }
    const isError = message.isError === true
    const result = isError
      ? { error: { message: content, code: "failure" } }
      : { result: { content, ...binaryResultsForLlm } }
    const toolCallId = this.#ids.ofResult(message.toolCallId)
    this.#event(entry, "tool.execution_complete", { toolCallId, success: !isError, ...result })
    const isKept = !isError
    count(entry, "images", isKept ? "evidence" : "dropped", "Copilot sends no pictures of results", pictures.length)
    // One that was added is none of the source's.
    if (!isAdded) count(entry, "results", "preserved")
  }

  /** A picture, which stands in an event of its own, before the one that names it. */
  #asset(entry: string, { data: base64, mimeType }: ImageContent): Json {
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

function blocksOf(content: unknown): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (objectsIn(content) as ContentBlock[])
}

function textsIn(blocks: readonly object[]): number {
  return blocks.filter((block) => (block as Json).type === "text" && (block as Json).text !== "").length
}

function isImage(block: ContentBlock): block is ImageContent {
  return block.type === "image" && textIn(block as Json, "data") !== undefined
}
