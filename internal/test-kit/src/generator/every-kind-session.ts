import { Author } from "./author.js"
import type { Fields } from "./format-entry.js"
import { formatHeader } from "./format-header.js"
import { imageOf } from "./image.js"
import { MODELS, type Model } from "./models.js"
import { wholeShape } from "./session-shape.js"
import { compactionFields } from "./summaries.js"
import { usageOf } from "./usage.js"

/** A session with everything that a format of another program has to hold, and counts of what it has. */
export interface EveryKindSession {
  /** The lines of the session, header first, each with its line end. */
  readonly lines: readonly string[]
  /** The transcripts of its sub-agents by the name of their artifacts: lines as those of the session. */
  readonly parts: ReadonlyMap<string, readonly string[]>
  /** The last entry of each branch. The second is the leaf of the session. */
  readonly leaves: readonly [string, string]
  /** Of the session without its sub-agents. */
  readonly counts: EveryKindCounts
}

export interface EveryKindCounts {
  prompts: number
  replies: number
  calls: number
  failedCalls: number
  callsWithoutResult: number
  imagesInPrompts: number
  imagesInResults: number
  signedThinking: number
  unsignedThinking: number
  compactions: number
}

/**
 * A session of treelog's own style: two branches, parallel calls with results in any order, a failed call, a call without result, images in prompt
 * and result, thinking with and without a signature, compactions, sub-agents, a tool that no program has, and ids that are not ASCII.
 * Deterministic: a seed and a number of entries always give one session.
 * @param entries how many entries it has at least; a few more, since a turn is not cut
 */
export function everyKindSession(seed: number, entries = 5_000): EveryKindSession {
  const shape = { seed, style: "treelog", entries, toolOutput: 300, imageBytes: 300, idPrefix: "ид-" } as const
  const author = new Author(wholeShape(shape))
  const counts = noCounts()
  const parts = new Map<string, string[]>()
  const lines = formatHeader(author.random, author.shape)
  const write = (type: string, fields: Fields): void => void lines.push(author.add(type, fields))
  const session = new Conversation(author, write, counts)
  const turnsUntil = (count: number): void => {
    while (author.count < count) {
      session.turn()
      author.rest()
    }
  }
  session.settings()
  session.turn("image in prompt", "image in result", "failed", "unsigned thinking")
  session.turn("no result")
  author.rest()
  const [fork] = author.restPoints.slice(-1)
  if (!fork) throw new Error("The session has no point to come back to.")
  turnsUntil(entries * 0.2)
  const first = leafOf(author)
  author.goTo(fork)
  turnsUntil(entries * 0.4)
  for (const share of [0.6, 0.8, 1]) {
    session.turn("sub-agent")
    const name = `Späher-${parts.size + 1}.jsonl`
    parts.set(name, transcript(seed + parts.size + 1))
    const data = { name, role: "subagent", call: session.lastCall, title: "Look around" }
    write("custom", { customType: "treelog.part", data })
    write("compaction", compactionFields(author))
    counts.compactions += 1
    turnsUntil(entries * share)
  }
  return { lines, parts, leaves: [first, leafOf(author)], counts }
}

type Wish = "image in prompt" | "image in result" | "failed" | "no result" | "unsigned thinking" | "sub-agent"

/** Writes turns, and counts what they have. */
class Conversation {
  readonly #author: Author
  readonly #write: (type: string, fields: Fields) => void
  readonly #counts: EveryKindCounts
  #calls = 0
  lastCall = ""

  constructor(author: Author, write: (type: string, fields: Fields) => void, counts: EveryKindCounts) {
    this.#author = author
    this.#write = write
    this.#counts = counts
  }

  settings(): void {
    const [{ provider, model }] = MODELS as [Model]
    this.#write("session_info", { name: "Ein Gespräch 对话 🙂" })
    this.#write("model_change", { provider, modelId: model, model: `${provider}/${model}`, role: "default" })
    this.#write("thinking_level_change", { thinkingLevel: "high" })
  }

  turn(...wishes: Wish[]): void {
    const { random, text } = this.#author
    this.#author.beginTurn()
    this.#counts.prompts += 1
    const image = wishes.includes("image in prompt") || random.chance(0.03) ? [imageOf(this.#author)] : []
    this.#counts.imagesInPrompts += image.length
    this.#message({ role: "user", content: [{ type: "text", text: text.prose(80) }, ...image] })
    for (let round = random.between(1, 3); round > 0; round--) this.#round(wishes, round === 1)
    if (wishes.includes("no result")) return
    this.#reply([{ type: "text", text: text.prose(120) }], wishes)
  }

  /** A reply with calls, and their results in any order. */
  #round(wishes: readonly Wish[], isLast: boolean): void {
    const { random, text } = this.#author
    const names = isLast && wishes.includes("sub-agent") ? ["task"] : random.pick(ROUNDS)
    const calls = names.map((name) => ({
      type: "toolCall",
      id: this.#callId(),
      name,
      arguments: this.#arguments(name),
    }))
    this.#reply(calls, wishes)
    const answered = isLast && wishes.includes("no result") ? calls.slice(1) : calls
    this.#counts.callsWithoutResult += calls.length - answered.length
    for (const { id, name } of random.chance(0.5) ? answered : [...answered].reverse()) {
      const isError = (wishes.includes("failed") && isLast) || random.chance(0.03)
      const image = wishes.includes("image in result") || random.chance(0.03) ? [imageOf(this.#author)] : []
      this.#counts.failedCalls += isError ? 1 : 0
      this.#counts.imagesInResults += image.length
      const content = [{ type: "text", text: text.code(random.size(200)) }, ...image]
      this.#message({ role: "toolResult", toolCallId: id, toolName: name, content, isError })
    }
    this.lastCall = calls.at(-1)?.id ?? ""
  }

  #reply(blocks: readonly Fields[], wishes: readonly Wish[]): void {
    const { random, text } = this.#author
    const calls = blocks.filter(({ type }) => type === "toolCall").length
    const isSigned = !wishes.includes("unsigned thinking")
    const thinking = random.chance(0.5) || !isSigned ? [{ type: "thinking", thinking: text.prose(60) }] : []
    this.#counts.calls += calls
    this.#counts.replies += 1
    this.#counts[isSigned ? "signedThinking" : "unsignedThinking"] += thinking.length
    const signed = thinking.map((block) => (isSigned ? { ...block, thinkingSignature: text.base64(120) } : block))
    const usage = usageOf(random, random.between(20, 2_000))
    const end = { usage, stopReason: calls > 0 ? "toolUse" : "stop" }
    this.#message({ role: "assistant", content: [...signed, ...blocks], ...MODELS[0], ...end })
  }

  #message(message: Fields): void {
    this.#write("message", { message: { ...message, timestamp: this.#author.after(20_000) } })
  }

  /** As Anthropic's are, as OpenAI's are, and as no provider's are. */
  #callId(): string {
    this.#calls += 1
    const hex = this.#author.random.hex(20)
    return [`toolu_01${hex}`, `call_${hex}|fc_${this.#calls}`, `выз-ов 🙂 ${hex}`][this.#calls % 3] ?? hex
  }

  #arguments(name: string): Fields {
    const { random, text } = this.#author
    const path = `src/${random.hex(4)}.ts`
    if (name === "bash") return { command: `cat ${path}` }
    if (name === "edit") return { path, oldText: text.code(60), newText: text.code(60) }
    if (name === "task") return { description: "Look around", prompt: text.prose(80) }
    return name === "read" ? { path } : { 深い: [{ ключ: [null, true, 1.5] }], path }
  }
}

/** What is called at once. No program has the last tool. */
const ROUNDS = [["read"], ["bash"], ["edit"], ["read", "bash"], ["read", "read", "bash", "edit"], ["кадило/調べる"]]

function transcript(seed: number): string[] {
  const author = new Author(wholeShape({ seed, style: "treelog", entries: 20, toolOutput: 300, imageBytes: 300 }))
  const lines = formatHeader(author.random, author.shape)
  const part = new Conversation(author, (type, fields) => void lines.push(author.add(type, fields)), noCounts())
  part.settings()
  part.turn()
  return lines
}

function leafOf({ leafId }: Author): string {
  if (leafId === null) throw new Error("Nothing was written yet.")
  return leafId
}

function noCounts(): EveryKindCounts {
  const [calls, images] = [
    { calls: 0, failedCalls: 0, callsWithoutResult: 0 },
    { imagesInPrompts: 0, imagesInResults: 0 },
  ]
  return { prompts: 0, replies: 0, ...calls, ...images, signedThinking: 0, unsignedThinking: 0, compactions: 0 }
}
