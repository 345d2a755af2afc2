import { type AssistantMessage, contentText } from "@treelog/session-core"
import { isObject, type Json, objectsIn, parsedObject, textIn } from "../json.js"
import { CallIds } from "./derived-id.js"
import { KnownTexts } from "./file-patches.js"
import type { Axis, Fate } from "./receipt.js"
import type { SessionPieces } from "./session-pieces.js"
import type { CompactionStep, SaidStep, Step } from "./session-steps.js"
import { mapCall, meaningOf } from "./tool-dialects.js"

// The one walk that decides what of a session a copy has, and counts what becomes of each piece. Writers make lines of what it returns.

/** What became of a piece, and why it is not as it was. */
export type Outcome = readonly [fate: Fate, reason?: string | undefined]

/** What an agent keeps otherwise than others. */
export interface CopyRules {
  readonly agent: string
  /** A thought that is `evidence` is shown, and no model gets it. @param from the agent of the source */
  thought(block: ThoughtBlock, reply: AssistantMessage, from: string): Outcome
  /** What becomes of pictures. Default: they are preserved. @param of the result of a call that failed, where `isFailed` */
  image?(of: "prompt" | "result", isFailed: boolean): Outcome
  /** Why the texts of a reply are not as they were. Default: they are. */
  replyReason?(content: readonly Json[]): string | undefined
  /** Why a prompt is not as it was. Default: it is. */
  promptReason?(blocks: readonly WrittenBlock[]): string | undefined
  /** Why the result of a call that failed is not as it was. Default: it is. */
  readonly failureReason?: string
  /** Why a compaction is not as it was. Default: it is. */
  readonly compactionReason?: string
  /** Whether sub-agents of sub-agents have a place there. Default: they have none. */
  readonly hasNestedSubAgents?: boolean
}

export interface ThoughtBlock {
  readonly type: "thinking"
  readonly thinking: string
  readonly thinkingSignature: string | undefined
  readonly redacted: boolean
}

export interface TextBlock {
  readonly type: "text"
  readonly text: string
  readonly textSignature?: unknown
}

export interface ImageBlock {
  readonly type: "image"
  readonly mimeType: string
  /** In base64. */
  readonly data: string
}

/** A call in the names of the agent that the copy is for. */
export interface WrittenCall {
  readonly type: "toolCall"
  readonly id: string
  readonly name: string
  readonly arguments: Json
  readonly thoughtSignature?: unknown
  /** The sub-agent that it started. */
  readonly subAgent: WrittenSubAgent | undefined
}

/** What only some agents take, as the session has it. */
export interface OtherBlock {
  readonly type: "document" | "file"
  readonly value: Json
}

export type InputBlock = TextBlock | ImageBlock | OtherBlock
export type WrittenBlock = InputBlock | WrittenCall | (ThoughtBlock & { readonly isSent: boolean })

/** A sub-agent, whose transcript stands with the copy. */
export interface WrittenSubAgent {
  /** The name of its transcript in the source, which no other of the session has. */
  readonly name: string
  /** The names of the sub-agents in which it was started, the outermost first. */
  readonly parents: readonly string[]
  /** The id of the call that started it, in the copy. */
  readonly call: string
  /** What it was asked, in a few words. */
  readonly title: string
  readonly steps: readonly WrittenStep[]
}

export interface WrittenPrompt {
  readonly kind: "prompt"
  readonly step: SaidStep
  readonly blocks: readonly InputBlock[]
  /** Whether a person said it. */
  readonly isSaid: boolean
  /** As the person typed it, where it was sent otherwise. */
  readonly typed: string | undefined
}

export interface WrittenReply {
  readonly kind: "reply"
  readonly step: SaidStep
  readonly message: AssistantMessage
  readonly blocks: readonly WrittenBlock[]
}

export interface WrittenResult {
  readonly kind: "result"
  readonly step: SaidStep
  /** The id of its call. */
  readonly call: string
  readonly blocks: readonly InputBlock[]
  readonly isFailed: boolean
  /** The sub-agent whose result it is. */
  readonly subAgent: WrittenSubAgent | undefined
}

export type WrittenSaid = WrittenPrompt | WrittenReply | WrittenResult

export interface WrittenCompaction extends Omit<CompactionStep, "context"> {
  /** What the model gets instead of what was said before: the summary, and what was kept. */
  readonly kept: readonly WrittenSaid[]
}

export type WrittenStep = WrittenSaid | WrittenCompaction

/** Whether a reply says something behind a call, which some agents send before it. */
export function speaksBehindCalls(content: readonly Json[]): boolean {
  const call = content.findIndex(({ type }) => type === "toolCall")
  return call !== -1 && textsIn(content.slice(call)) > 0
}

/** How many texts say something. */
export function textsIn(content: readonly Json[]): number {
  return content.filter(({ type, text }) => type === "text" && typeof text === "string" && text.trim() !== "").length
}

/** What of a session is written. */
export interface WalkedSession {
  readonly steps: readonly Step[]
  /** By the calls that started them. */
  readonly subAgents: ReadonlyMap<string, SubAgent>
  /** Counts what becomes of each piece. */
  readonly pieces: SessionPieces
}

/** A sub-agent of a session, whose transcript can stand with the copy. */
export interface SubAgent extends WalkedSession {
  /** The entry that names it in the session. */
  readonly entry: string
  /** The name of its transcript, which no other of the session has. */
  readonly name: string
  /** The names of the sub-agents in which it was started, the outermost first. */
  readonly parents: readonly string[]
  /** What it was asked, in a few words. */
  readonly title: string | undefined
}

/**
 * What a copy has of a session, in the names of the agent that it is for.
 * @param from the agent of the source
 * @param cwd the folder of the session
 */
export function writtenSteps(session: WalkedSession, rules: CopyRules, from: string, cwd: string): WrittenStep[] {
  return new StepWalk(session, rules, from, cwd).steps()
}

type Count = SessionPieces["count"]

const CALL_REASONS = { same: undefined, renamed: "renamed", changed: "in another shape", foreign: "under its own name" }

/** What a transcript is not complete without. What is dropped of its text, its agent says by itself. */
const LOST_AXES: readonly Axis[] = ["thinking", "calls", "results", "images", "subAgents", "compactions"]

class StepWalk {
  readonly #session: WalkedSession
  readonly #rules: CopyRules
  readonly #from: string
  readonly #cwd: string
  readonly #ids = new CallIds()
  readonly #texts: KnownTexts
  /** The calls that have no result in the session. */
  readonly #unanswered: ReadonlySet<string>
  /** By the ids of calls in the copy. */
  readonly #subAgents = new Map<string, WrittenSubAgent>()
  /** The calls of the source whose sub-agents are written. */
  readonly #started = new Set<string>()

  constructor(session: WalkedSession, rules: CopyRules, from: string, cwd: string) {
    this.#session = session
    this.#rules = rules
    this.#from = from
    this.#cwd = cwd
    this.#texts = new KnownTexts(cwd)
    this.#unanswered = new Set(
      session.steps.map((step) =>
        step.kind === "said" && step.isAdded && step.message.role === "toolResult"
          ? callKey(step.entry, step.message.toolCallId)
          : "",
      ),
    )
  }

  steps(): WrittenStep[] {
    return this.#session.steps.flatMap((step): WrittenStep[] => {
      if (step.kind === "said") return this.#said(step, (...args) => this.#session.pieces.count(...args), true)
      const { context, ...compaction } = step
      const reason = this.#rules.compactionReason
      this.#session.pieces.count(step.entry, "compactions", reason ? "partial" : "preserved", reason)
      // What is kept was counted where it was said.
      return [{ ...compaction, kept: context.flatMap((one) => this.#said(one, () => undefined, false)) }]
    })
  }

  /** @param isNew whether it is said here, and not kept by a compaction. @returns nothing where nothing of it is written */
  #said(step: SaidStep, count: Count, isNew: boolean): WrittenSaid[] {
    const { entry, message, stored, isOfProgram, isAdded } = step
    if (isOfProgram) {
      count(entry, "text", "dropped", "what its agent says by itself")
      return []
    }
    if (message.role === "assistant") {
      const content = blocksOf(message.content)
      const reason = this.#rules.replyReason?.(content)
      if (reason) count(entry, "text", "partial", reason)
      const blocks = content.flatMap((block) => this.#replyBlock(entry, block, message, count, isNew))
      return blocks.length > 0 ? [{ kind: "reply", step, message, blocks }] : []
    }
    const blocks = blocksOf(message.content).flatMap(inputBlock)
    const isFailed = message.role === "toolResult" && message.isError === true
    const of = message.role === "toolResult" ? "result" : "prompt"
    const [fate, reason] = this.#rules.image?.(of, isFailed) ?? ["preserved"]
    const images = blocks.filter(({ type }) => type === "image").length
    count(entry, "images", fate, reason, images)
    if (message.role === "toolResult") {
      const call = this.#ids.ofResult(message.toolCallId)
      const text = contentText(blocks)
      this.#texts.answered(call, text, isFailed)
      const isOnlyNote = images > 0 && text === "" && (fate === "evidence" || fate === "dropped")
      if (isOnlyNote) blocks.unshift({ type: "text", text: `[Image left out: ${reason}.]` })
      const resultReason = isOnlyNote ? "a text in place of its pictures" : isFailed && this.#rules.failureReason
      // One that was added is none of the source's.
      if (!isAdded) count(entry, "results", resultReason ? "partial" : "preserved", resultReason || undefined)
      return [{ kind: "result", step, call, blocks, isFailed, subAgent: isNew ? this.#subAgents.get(call) : undefined }]
    }
    if (blocks.length === 0) return []
    const isSaid = stored.role === "user"
    const promptReason = isSaid ? this.#rules.promptReason?.(blocks) : "as text of the user"
    count(entry, "text", promptReason ? "partial" : "preserved", promptReason)
    count(entry, "compactions", "partial", "its summary as text")
    return [{ kind: "prompt", step, blocks, isSaid, typed: isSaid ? textIn(stored as Json, "prompt") : undefined }]
  }

  #replyBlock(entry: string, block: Json, reply: AssistantMessage, count: Count, isNew: boolean): WrittenBlock[] {
    const { type, text, thinking, thinkingSignature, redacted } = block
    if (type === "toolCall") return [this.#call(entry, block, count, isNew)]
    if (type === "text" && typeof text === "string" && text !== "") {
      count(entry, "text", "preserved")
      return [{ type, text, textSignature: block.textSignature }]
    }
    if (type !== "thinking") return []
    const signature = typeof thinkingSignature === "string" ? thinkingSignature : undefined
    const said = typeof thinking === "string" ? thinking : ""
    const thought: ThoughtBlock = { type, thinking: said, thinkingSignature: signature, redacted: redacted === true }
    const [fate, reason] = this.#rules.thought(thought, reply, this.#from)
    count(entry, "thinking", fate, reason)
    return fate === "dropped" ? [] : [{ ...thought, isSent: fate !== "evidence" }]
  }

  #call(entry: string, block: Json, count: Count, isNew: boolean): WrittenCall {
    const [from, { agent }] = [this.#from, this.#rules]
    const id = this.#ids.ofCall(entry, String(block.id))
    const args = isObject(block.arguments) ? block.arguments : {}
    const name = agent === from ? String(block.name) : fullName(block)
    const called = mapCall(name, args, { from, to: agent, cwd: this.#cwd, texts: this.#texts })
    const meant = meaningOf(from, String(block.name), args)
    if (meant) this.#texts.called(id, meant.kind, meant.said)
    if (this.#unanswered.has(callKey(entry, String(block.id)))) count(entry, "calls", "partial", "without a result")
    else count(entry, "calls", called.fate === "changed" ? "partial" : "preserved", CALL_REASONS[called.fate])
    const subAgent = isNew ? this.#subAgent(String(block.id), { id, tool: called.name }, count) : undefined
    if (subAgent) this.#subAgents.set(id, subAgent)
    return {
      type: "toolCall",
      id,
      name: called.name,
      arguments: called.args,
      thoughtSignature: block.thoughtSignature,
      subAgent,
    }
  }

  #subAgent(call: string, { id, tool }: { id: string; tool: string }, count: Count): WrittenSubAgent | undefined {
    const subAgent = this.#session.subAgents.get(call)
    if (!subAgent || this.#started.has(call)) return undefined
    this.#started.add(call)
    const { name, parents, subAgents } = subAgent
    const own = { ...subAgent, subAgents: this.#rules.hasNestedSubAgents ? subAgents : new Map() }
    const steps = writtenSteps(own, this.#rules, this.#from, this.#cwd)
    const receipt = subAgent.pieces.finish({ isNamed: false })
    const isWhole = LOST_AXES.every((axis) => receipt[axis].dropped === 0)
    count(subAgent.entry, "subAgents", isWhole ? "preserved" : "partial", isWhole ? undefined : "in part")
    return { name, parents, call: id, title: subAgent.title ?? tool, steps }
  }
}

function callKey(entry: string, id: string): string {
  return JSON.stringify([entry, id])
}

/** The name of a tool of a server or of sub-agents, of which Codex stores the first part apart. */
function fullName({ name, thoughtSignature }: Json): string {
  const { namespace } = (typeof thoughtSignature === "string" && parsedObject(thoughtSignature)) || {}
  return typeof namespace === "string" ? `${namespace}__${name}` : String(name)
}

function blocksOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
}

function inputBlock(block: Json): InputBlock[] {
  const { type, text, data, mimeType } = block
  if (type === "text") return typeof text === "string" && text !== "" ? [{ type, text }] : []
  if (type === "image") return typeof data === "string" ? [{ type, data, mimeType: String(mimeType) }] : []
  return type === "document" || type === "file" ? [{ type, value: block }] : []
}
