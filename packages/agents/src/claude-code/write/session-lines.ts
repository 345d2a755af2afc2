import { contentText } from "@treelog/session-core"
import type { Json } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  derivedUuid,
  speaksBehindCalls,
  subAgentId,
  subAgentsIn,
  type WrittenBlock,
  type WrittenCompaction,
  type WrittenReply,
  type WrittenResult,
  type WrittenSaid,
  type WrittenStep,
  type WrittenSubAgent,
} from "@treelog-internal/agent-files/write"

/** The version of Claude Code that written sessions were tried with. */
export const TRIED = "2.1.332"

/** How Claude Code's transcripts have a copy: those of sub-agents stand in a folder beside it. */
export const linesOfClaudeCode: Pick<CopyTarget, "rules" | "linesOf" | "marked"> = {
  rules: {
    // A signature is checked by who gave it.
    thought({ thinkingSignature: signature = "" }, { provider, api }) {
      const isOwn = provider === "anthropic" && api !== "openai-responses" && signature !== "" && !isItem(signature)
      return isOwn ? ["preserved"] : ["dropped", "signed for its own model"]
    },
    replyReason: (content) => (speaksBehindCalls(content) ? "sent before the calls of its reply" : undefined),
    hasNestedSubAgents: true,
    image: (_, isFailed) => (isFailed ? ["evidence", "not sent with a call that failed"] : ["preserved"]),
  },
  linesOf(source) {
    const { id: sessionId, name, steps } = source
    const mark = { type: "treelog-copy", sessionId }
    return {
      head: name === undefined ? [mark] : [mark, { type: "custom-title", customTitle: name, sessionId }],
      body: new SessionLines(source, undefined).of(steps),
      parts: subAgentsIn(steps).map((subAgent) => ({
        path: `${sessionId}/subagents/agent-${agentId(source, subAgent)}.jsonl`,
        head: [{ ...mark, isSidechain: true, agentId: agentId(source, subAgent) }],
        body: new SessionLines(source, agentId(source, subAgent)).of(subAgent.steps),
      })),
    }
  },
  marked: (line, treelog) => ({ ...line, treelog }),
}

/** As long as Claude Code's own. */
function agentId(source: CopySource, subAgent: WrittenSubAgent): string {
  return `a${subAgentId(source, subAgent).replaceAll("-", "").slice(0, 16)}`
}

class SessionLines {
  readonly #source: CopySource
  /** The sub-agent whose lines they are. */
  readonly #agentId: string | undefined
  readonly #lines: Json[] = []
  readonly #seen = new Map<string, number>()
  #parent: string | null = null
  #time = 0

  constructor(source: CopySource, agentId: string | undefined) {
    this.#source = source
    this.#agentId = agentId
  }

  of(steps: readonly WrittenStep[]): readonly Json[] {
    for (const step of steps) {
      this.#time = step.kind === "compaction" ? step.time : step.step.time
      if (step.kind === "compaction") this.#compacted(step)
      else this.#said(step)
    }
    return this.#lines
  }

  /** What was kept is written again behind the boundary: the conversation begins there. */
  #compacted({ entry, kept, tokensBefore }: WrittenCompaction): void {
    const isSummary = ({ step }: WrittenSaid): boolean => step.stored.role === "compactionSummary"
    const summary = kept.find(isSummary) ?? kept.find(({ kind }) => kind === "prompt")
    const logicalParentUuid = this.#parent
    this.#parent = null
    const metadata = { trigger: "auto", preTokens: tokensBefore }
    const content = "Conversation compacted"
    this.#line(entry, "system", { subtype: "compact_boundary", content, logicalParentUuid, compactMetadata: metadata })
    if (summary) {
      const message = { role: "user", content: contentText(summary.blocks) }
      this.#line(entry, "user", { message, isCompactSummary: true, isVisibleInTranscriptOnly: true })
    }
    for (const said of kept) if (said !== summary) this.#said(said)
  }

  #said(said: WrittenSaid): void {
    if (said.kind === "reply") this.#replied(said)
    else if (said.kind === "result") this.#answered(said)
    else {
      const { step, blocks, isSaid } = said
      const content = blocks.flatMap(ownBlock)
      const [only, ...more] = content
      if (!only) return
      const isText = only.type === "text" && more.length === 0
      // What a person did not say is no prompt in the list.
      const isMeta = !isSaid && step.stored.role !== "compactionSummary" && { isMeta: true }
      this.#line(step.entry, "user", { message: { role: "user", content: isText ? only.text : content }, ...isMeta })
    }
  }

  #answered({ step, call, blocks, isFailed, subAgent }: WrittenResult): void {
    const result = { type: "tool_result", tool_use_id: call, content: blocks.flatMap(ownBlock) }
    const message = { role: "user", content: [isFailed ? { ...result, is_error: true } : result] }
    const started = subAgent && { toolUseResult: { status: "completed", agentId: agentId(this.#source, subAgent) } }
    this.#line(step.entry, "user", { message, ...started })
  }

  /** A line for each block, as Claude Code writes them: those with the id of one response are one message. */
  #replied({ step: { entry }, message: { provider, model }, blocks }: WrittenReply): void {
    const id = `msg_${this.#uuid(entry).replaceAll("-", "")}`
    const hasCalls = blocks.some(({ type }) => type === "toolCall")
    for (const block of blocks.flatMap(ownBlock)) {
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

  /** A line of the conversation, behind the one before it. */
  #line(entry: string, type: string, fields: Json): void {
    const { id: sessionId, cwd, version } = this.#source
    const uuid = this.#uuid(entry)
    const timestamp = new Date(this.#time).toISOString()
    const of = this.#agentId === undefined ? { isSidechain: false } : { isSidechain: true, agentId: this.#agentId }
    const place = { ...of, userType: "external", cwd, sessionId, version, gitBranch: "" }
    this.#lines.push({ parentUuid: this.#parent, ...place, type, ...fields, uuid, timestamp })
    this.#parent = uuid
  }

  /** The next id for what is of an entry. */
  #uuid(entry: string): string {
    const at = this.#seen.get(entry) ?? 0
    this.#seen.set(entry, at + 1)
    return derivedUuid(this.#source.id, ...(this.#agentId === undefined ? [] : [this.#agentId]), entry, String(at))
  }
}

function ownBlock(block: WrittenBlock): Json[] {
  if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }]
  if (block.type === "image")
    return [{ type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }]
  if (block.type === "toolCall") return [{ type: "tool_use", id: block.id, name: block.name, input: block.arguments }]
  if (block.type !== "thinking") return block.type === "document" ? [block.value] : []
  const { thinking, thinkingSignature: signature, redacted } = block
  return [redacted ? { type: "redacted_thinking", data: signature } : { type: "thinking", thinking, signature }]
}

/** Whether a signature is an item of OpenAI's. */
function isItem(text: string): boolean {
  return text.startsWith("{")
}
