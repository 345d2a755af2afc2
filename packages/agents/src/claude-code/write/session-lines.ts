import { type AssistantMessage, type ContentBlock, contentText } from "@treelog/session-core"
import { type Json, objectsIn } from "@treelog-internal/agent-files"
import {
  CallIds,
  type CopySource,
  type CopyTarget,
  derivedUuid,
  type SaidStep,
  type Step,
  speaksBehindCalls,
  writtenCall,
} from "@treelog-internal/agent-files/write"

/** The version of Claude Code that written sessions were tried with. */
export const TRIED = "2.1.332"

/** How Claude Code's transcripts have a copy. */
export const linesOfClaudeCode: Pick<CopyTarget, "linesOf" | "marked"> = {
  linesOf(source) {
    const writer = new SessionLines(source)
    for (const step of source.steps) writer.add(step)
    return { head: headOf(source), body: writer.lines }
  },
  marked: (line, treelog) => ({ ...line, treelog }),
}

/** The mark of a copy, and its name. */
function headOf({ id: sessionId, name }: CopySource): [Json, ...Json[]] {
  const mark = { type: "treelog-copy", sessionId }
  return name === undefined ? [mark] : [mark, { type: "custom-title", customTitle: name, sessionId }]
}

class SessionLines {
  readonly #source: CopySource
  readonly #lines: Json[] = []
  readonly #ids = new CallIds()
  readonly #seen = new Map<string, number>()
  #parent: string | null = null
  #time = 0

  constructor(source: CopySource) {
    this.#source = source
  }

  add(step: Step): void {
    this.#time = step.time
    if (step.kind === "said") this.#said(step, true)
    else this.#compacted(step)
  }

  get lines(): readonly Json[] {
    return this.#lines
  }

  /** What was kept is written again behind the boundary: the conversation begins there. */
  #compacted({ entry, context, tokensBefore }: Extract<Step, { kind: "compaction" }>): void {
    const kept = context.filter(({ isOfProgram }) => !isOfProgram)
    const isSummary = ({ stored }: SaidStep): boolean => stored.role === "compactionSummary"
    const summary = kept.find(isSummary) ?? kept.find(({ message }) => message.role === "user")
    const logicalParentUuid = this.#parent
    this.#parent = null
    const metadata = { trigger: "auto", preTokens: tokensBefore }
    const content = "Conversation compacted"
    this.#line(entry, "system", { subtype: "compact_boundary", content, logicalParentUuid, compactMetadata: metadata })
    if (summary) {
      const message = { role: "user", content: contentText(blocksOf(summary.message.content)) }
      this.#line(entry, "user", { message, isCompactSummary: true, isVisibleInTranscriptOnly: true })
    }
    for (const step of kept) if (step !== summary) this.#said(step, false)
    this.#source.pieces.count(entry, "compactions", "preserved")
  }

  /** @param isCounted whether its pieces are counted here */
  #said(step: SaidStep, isCounted: boolean): void {
    const { entry, message, stored, isOfProgram } = step
    const count: CopySource["pieces"]["count"] = (...args) => isCounted && this.#source.pieces.count(...args)
    if (isOfProgram) {
      count(entry, "text", "dropped", "what its agent says by itself")
      return
    }
    if (message.role === "assistant") {
      this.#answered(entry, message, count)
      return
    }
    const content = blocksOf(message.content)
      .map(ownBlock)
      .filter((block) => block !== undefined)
    const isFailed = message.role === "toolResult" && message.isError === true
    const images = content.filter(({ type }) => type === "image").length
    if (isFailed) count(entry, "images", "evidence", "not sent with a call that failed", images)
    else count(entry, "images", "preserved", undefined, images)
    if (message.role === "toolResult") {
      const own = { type: "tool_result", tool_use_id: this.#ids.ofResult(message.toolCallId), content }
      this.#line(entry, "user", { message: { role: "user", content: [isFailed ? { ...own, is_error: true } : own] } })
      // One that was added is none of the source's.
      if (!step.isAdded) count(entry, "results", "preserved")
      return
    }
    if (content.length === 0) return
    const [only, ...more] = content
    const isText = only?.type === "text" && more.length === 0
    const isSaid = stored.role === "user"
    // What a person did not say is no prompt in the list.
    const isMeta = !isSaid && stored.role !== "compactionSummary" && { isMeta: true }
    this.#line(entry, "user", { message: { role: "user", content: isText ? only.text : content }, ...isMeta })
    count(entry, "text", isSaid ? "preserved" : "partial", isSaid ? undefined : "as text of the user")
    count(entry, "compactions", "partial", "its summary as text")
  }

  /** A line for each block, as Claude Code writes them: those with the id of one response are one message. */
  #answered(entry: string, reply: AssistantMessage, count: CopySource["pieces"]["count"]): void {
    const { provider, model } = reply
    const id = `msg_${this.#uuid(entry).replaceAll("-", "")}`
    const content = blocksOf(reply.content)
    if (speaksBehindCalls(content)) count(entry, "text", "partial", "sent before the calls of its reply")
    const blocks = content
      .map((block) => this.#answerBlock(entry, block as Json, reply, count))
      .filter((block) => block !== undefined)
    const hasCalls = blocks.some(({ type }) => type === "tool_use")
    for (const block of blocks) {
      const message = {
        id,
        type: "message",
        role: "assistant",
        model: provider === "anthropic" ? model : `${provider}/${model}`,
      }
      const stop = { stop_reason: hasCalls ? "tool_use" : "end_turn", stop_sequence: null }
      this.#line(entry, "assistant", { message: { ...message, content: [block], ...stop } })
    }
  }

  #answerBlock(
    entry: string,
    block: Json,
    { provider, api }: AssistantMessage,
    count: CopySource["pieces"]["count"],
  ): Json | undefined {
    const { type, text, thinking, thinkingSignature, redacted } = block
    if (type === "text" && typeof text === "string" && text.trim() !== "") {
      count(entry, "text", "preserved")
      return { type, text }
    }
    if (type === "toolCall") return this.#call(entry, block, count)
    if (type !== "thinking") return undefined
    // A signature is checked by who gave it.
    const isOwn =
      provider === "anthropic" &&
      api !== "openai-responses" &&
      typeof thinkingSignature === "string" &&
      thinkingSignature !== ""
    if (!isOwn || isItem(thinkingSignature)) {
      count(entry, "thinking", "dropped", `signed for ${provider}`)
      return undefined
    }
    count(entry, "thinking", "preserved")
    if (redacted) return { type: "redacted_thinking", data: thinkingSignature }
    return { type, thinking, signature: thinkingSignature }
  }

  #call(entry: string, block: Json, count: CopySource["pieces"]["count"]): Json {
    const { name, args } = writtenCall(this.#source, "claude-code", entry, block, count)
    return { type: "tool_use", id: this.#ids.ofCall(entry, String(block.id)), name, input: args }
  }

  /** A line of the conversation, behind the one before it. */
  #line(entry: string, type: string, fields: Json): void {
    const { id: sessionId, cwd, version } = this.#source
    const uuid = this.#uuid(entry)
    const timestamp = new Date(this.#time).toISOString()
    const place = { isSidechain: false, userType: "external", cwd, sessionId, version, gitBranch: "" }
    this.#lines.push({ parentUuid: this.#parent, ...place, type, ...fields, uuid, timestamp })
    this.#parent = uuid
  }

  /** The next id for what is of an entry. */
  #uuid(entry: string): string {
    const at = this.#seen.get(entry) ?? 0
    this.#seen.set(entry, at + 1)
    return derivedUuid(this.#source.id, entry, String(at))
  }
}

function blocksOf(content: unknown): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (objectsIn(content) as ContentBlock[])
}

function ownBlock(block: ContentBlock): Json | undefined {
  const { type, text, data, mimeType } = block as Json
  if (type === "text" && typeof text === "string" && text.trim() !== "") return { type, text }
  if (type === "image") return { type, source: { type: "base64", media_type: mimeType, data } }
  return type === "document" ? (block as Json) : undefined
}

/** Whether a signature is an item of OpenAI's. */
function isItem(text: unknown): boolean {
  return typeof text === "string" && text.startsWith("{")
}
