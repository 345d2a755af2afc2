import type { Random } from "../generator/random.js"
import { TextSource } from "../generator/text-source.js"
import type { ClaudeTruth, TokenCounts } from "./claude-truth.js"

type ClaudeTexts = Pick<TextSource, "prose" | "code" | "base64">

/** A step of the conversation, and what the line of the next step would name as its parent before it was written. */
export interface Step {
  readonly id: string
  readonly parent: string | null
  readonly isPrompt: boolean
}

type Fields = Record<string, unknown>

/** A call that waits for its result, and the line that made it. */
export interface OpenCall {
  readonly id: string
  readonly line: string
}

/** Writes the lines of one file, and keeps the truth about it. */
export class ClaudeWriter {
  readonly random: Random
  readonly texts: ClaudeTexts
  readonly sessionId: string
  readonly truth: ClaudeTruth = { path: [], usage: new Map(), openCalls: new Set(), title: "", copies: 0, repairs: 0 }
  /** What the next line names as its parent. */
  head: string | null = null
  /** The path up to now, with what a rewind needs. */
  steps: Step[] = []
  cwd = "/home/ada/shop"
  gitBranch = "main"
  model = "claude-opus-4-6"
  /** Whether the last line of a reply says why it stopped, as newer versions do. */
  readonly hasStopReasons: boolean
  /** Calls that have a result, in file order. */
  readonly answeredCalls: string[] = []
  /** The branch that the last rewind left; undefined again after a compaction, which clears a pinned leaf. */
  abandoned: Step[] | undefined
  /** The last line of the user, as it is in the file. */
  lastSaid = ""
  readonly #boundaries = new Set<string>()
  readonly #titles: string[] = ["", "", "", ""]
  #pending: string[] = []
  #millis = Date.UTC(2026, 1, 10, 9)

  /** @param scale by which texts are longer than those of small files for tests */
  constructor(random: Random, scale: number) {
    const texts = new TextSource(random)
    this.random = random
    this.texts = {
      prose: (chars) => texts.prose(chars * scale),
      code: (chars) => texts.code(chars * scale),
      base64: (chars) => texts.base64(chars * scale),
    }
    this.sessionId = this.uuid()
    this.hasStopReasons = random.chance(0.5)
  }

  uuid(): string {
    const hex = this.random.hex(32)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  /** Times continue, and sometimes back a little, as in real files. */
  time(): string {
    this.#millis += this.random.between(1, 4000)
    const back = this.random.chance(0.03) ? this.random.between(1, 9000) : 0
    return new Date(this.#millis - back).toISOString()
  }

  /** So long that no time goes back behind now. */
  wait(): void {
    this.#millis += 10_000
  }

  /** The lines that were written since the last call. */
  take(): string[] {
    const lines = this.#pending
    this.#pending = []
    return lines
  }

  /** Writes any record as a line. */
  raw(record: Fields): string {
    const line = JSON.stringify(record)
    this.#pending.push(line)
    return line
  }

  /** Writes a line as it is. */
  text(line: string): void {
    this.#pending.push(line)
  }

  /** Writes a line with the fields that all lines of the conversation have. */
  line(type: string, parent: string | null, fields: Fields): { uuid: string; text: string } {
    const uuid = typeof fields.uuid === "string" ? fields.uuid : this.uuid()
    const { cwd, gitBranch, sessionId } = this
    const common = {
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId,
      version: "2.1.42",
      gitBranch,
    }
    const text = this.raw({ ...common, type, uuid, timestamp: this.time(), ...fields })
    return { uuid, text }
  }

  /** A user line that is a step of the conversation. */
  said(content: unknown, fields: Fields = {}): string {
    const parent = this.head
    const { uuid, text } = this.line("user", parent, { message: { role: "user", content }, ...fields })
    this.lastSaid = text
    this.step(uuid, parent, fields.isMeta !== true)
    return uuid
  }

  step(id: string, parent: string | null, isPrompt: boolean): void {
    this.steps.push({ id, parent, isPrompt })
    this.head = id
  }

  /** Marks a step as a compaction. */
  boundary(id: string): void {
    this.#boundaries.add(id)
    this.abandoned = undefined
    this.step(id, this.head, false)
  }

  /** No rewind goes back to the last step: where it hangs depends on what precedes it in the file. */
  fixLastStep(): void {
    const last = this.steps.pop()
    if (last) this.steps.push({ ...last, isPrompt: false })
  }

  /** Drops what only the truth about the whole file needs. */
  forget(): void {
    this.steps = this.steps.slice(-40)
    this.answeredCalls.splice(0, this.answeredCalls.length - 4)
    this.truth.usage.clear()
    this.truth.openCalls.clear()
  }

  isBoundary(id: string): boolean {
    return this.#boundaries.has(id)
  }

  /** @param rank of the kind of title, the strongest last */
  setTitle(rank: number, text: string): void {
    this.#titles[rank] = text
    this.truth.title = this.#titles.filter((title) => title !== "").at(-1) ?? ""
  }

  /** A message of the model in the form of the file. */
  message(id: string, content: unknown, tokens: TokenCounts, stopReason: string | null): Fields {
    const usage = {
      input_tokens: tokens.input,
      cache_creation_input_tokens: tokens.cacheWrite,
      cache_read_input_tokens: tokens.cacheRead,
      output_tokens: tokens.output,
      service_tier: "standard",
    }
    return {
      model: this.model,
      id,
      type: "message",
      role: "assistant",
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage,
    }
  }

  tokens(): TokenCounts {
    const { random } = this
    return { input: random.below(9), output: 1, cacheRead: random.below(90_000), cacheWrite: random.below(4000) }
  }

  /** A progress line, of which nothing in the conversation is made. */
  progress(parent: string | null, data: Fields): string {
    return this.line("progress", parent, { data, toolUseID: `toolu_${this.random.hex(24)}` }).uuid
  }
}
