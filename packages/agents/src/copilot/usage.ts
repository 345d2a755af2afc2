import {
  countIn,
  type EntryWriter,
  isObject,
  type Json,
  objectIn,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { entryPlace } from "./event.js"

export const UNKNOWN = "unknown"
export const RECORD = "session.usage_record"

/** The fields of events that have what a call used. */
const USAGE: ReadonlyMap<string, string> = new Map([
  [RECORD, "usage"],
  ["session.compaction_complete", "compactionTokensUsed"],
  ["tool.execution_complete", "toolUsage"],
])

/** Counts of a call that sums have, too. */
const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"]

/** What calls to models used: as records say it or, of versions without these, as replies and the sums at the end of a run do. */
export class CopilotUsage {
  model = UNKNOWN
  provider = "github-copilot"
  readonly #writer: EntryWriter
  /** Of calls whose answer has not come yet, by the id of the call. */
  readonly #ofCalls = new Map<string, Json>()
  /** Whether there are records: sums behind them repeat them. */
  #hasRecords = false
  /** By model, the tokens of output that replies of this run say, where it has no records. */
  readonly #output = new Map<string, number>()
  #saysOutput = false
  /** By model, what the last sums had. */
  #sums: ReadonlyMap<string, Json> = new Map()
  /** Whether Copilot notes its sums, so that the next run begins with them. */
  #notesSums = false

  constructor(writer: EntryWriter) {
    this.#writer = writer
  }

  record(event: Json, usage: Json | undefined): RecordOutcome {
    if (!usage) return undefined
    this.#hasRecords = true
    this.provider = textIn(usage, "modelProvider") ?? this.provider
    const call = textIn(usage, "apiCallId")
    if (call === undefined) this.add(event, usage, undefined)
    else this.#ofCalls.set(call, usage)
    return "converted"
  }

  /** Of a reply; undefined where nothing says it. */
  ofReply(data: Json): Json | undefined {
    const call = textIn(data, "apiCallId") ?? ""
    const usage = this.#ofCalls.get(call)
    this.#ofCalls.delete(call)
    return usage ?? this.#outputOf(data)
  }

  /** Adds what an event of a sub-agent says, which counts in the session too. */
  addOfSubAgent(event: Json, data: Json, type: string): void {
    const usage = objectIn(data, USAGE.get(type) ?? "")
    if (usage) {
      this.#hasRecords ||= type === RECORD
      this.add(event, usage, "subagent")
    }
    const output = type === "assistant.message" ? this.#outputOf(data) : undefined
    if (output) this.add({ ...event, id: `${String(event.id)}:usage` }, output, "subagent")
  }

  /** Adds what a tool used by itself, such as one that makes pictures. */
  addOfTool(event: Json, data: Json): void {
    const usage = objectIn(data, "toolUsage")
    if (usage) this.add({ ...event, id: `${String(event.id)}:usage` }, usage, undefined)
  }

  /** The session was opened again. */
  beginRun(): void {
    this.#output.clear()
  }

  noteCheckpoint(): void {
    this.#notesSums = true
  }

  /** What a call used that has no reply of its own, such as one that summarizes. */
  add(event: Json, usage: Json, role: string | undefined): void {
    const model = {
      provider: textIn(usage, "modelProvider") ?? this.provider,
      model: textIn(usage, "model") ?? this.model,
    }
    this.#writer.add("usage", entryPlace(event), { ...model, ...(role && { role }), usage: tokensOf(usage) })
  }

  /** What a reply says of its output, where a run has no records of usage: until its end, nothing else does. */
  #outputOf(data: Json): Json | undefined {
    const [outputTokens, model] = [countIn(data, "outputTokens"), textIn(data, "model") ?? this.model]
    if (this.#hasRecords || outputTokens === 0 || model === UNKNOWN) return undefined
    this.#saysOutput = true
    this.#output.set(model, (this.#output.get(model) ?? 0) + outputTokens)
    return { model, outputTokens }
  }

  /** Versions before records of usage write its sums, by model, when they end: with what replies and, where they go on, sums before have. */
  addSums(event: Json, data: Json): boolean {
    const sums = new Map<string, Json>()
    for (const [model, metrics] of Object.entries(objectIn(data, "modelMetrics") ?? {})) {
      const usage = isObject(metrics) ? objectIn(metrics, "usage") : undefined
      if (usage) sums.set(model, usage)
    }
    const isCounted = this.#hasRecords
    const before = this.#goOn(sums) ? this.#sums : new Map<string, Json>()
    for (const [at, [model, usage]] of isCounted ? [] : [...sums].entries()) {
      const known = before.get(model) ?? {}
      const used = Object.fromEntries(COUNTS.map((count) => [count, countIn(usage, count) - countIn(known, count)]))
      const outputTokens = Math.max(0, Number(used.outputTokens) - (this.#output.get(model) ?? 0))
      this.add({ ...event, id: `${String(event.id)}:usage${at}` }, { ...used, model, outputTokens }, undefined)
    }
    this.#sums = sums
    this.#output.clear()
    return !isCounted && sums.size > 0
  }

  /**
   * Whether sums have those before them, as of newer versions: then there is at least as much of each, and what came to them is no less than what the
   * replies of this run say. Of older versions they are those of one run.
   */
  #goOn(sums: ReadonlyMap<string, Json>): boolean {
    const added = (model: string, count: string): number =>
      countIn(sums.get(model) ?? {}, count) - countIn(this.#sums.get(model) ?? {}, count)
    const has = [...this.#sums.keys()].every((model) => COUNTS.every((count) => added(model, count) >= 0))
    const isMore = [...sums.keys()].every((model) => added(model, "outputTokens") >= (this.#output.get(model) ?? 0))
    return has && (this.#saysOutput ? isMore : this.#notesSums)
  }

  /** What was used for answers that never came counts too. */
  addUnanswered(event: Json): void {
    for (const usage of this.#ofCalls.values())
      this.add({ ...event, id: `${String(event.id)}:usage` }, usage, undefined)
    this.#ofCalls.clear()
  }
}

/** The input has the tokens of the cache. Older compactions name counts otherwise. Its `cost` counts requests, not money. */
export function tokensOf(usage: Json) {
  const count = (name: string, before: string): number => countIn(usage, name) || countIn(usage, before)
  const cacheRead = count("cacheReadTokens", "cachedInput")
  const cacheWrite = countIn(usage, "cacheWriteTokens")
  const input = Math.max(0, count("inputTokens", "input") - cacheRead - cacheWrite)
  const reasoning = countIn(usage, "reasoningTokens")
  const tokens = usageFields({ input, output: count("outputTokens", "output"), cacheRead, cacheWrite })
  return { ...tokens, ...(reasoning > 0 && { reasoning }) }
}
