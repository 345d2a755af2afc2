import { countIn, type Json, objectIn, type Tokens, textIn } from "@treelog-internal/agent-files"
import type { ResponseHead, ResponseUsage } from "./response-head.js"

const MESSAGES: ReadonlySet<unknown> = new Set(["user", "assistant"])

/**
 * Reads what `claude -p --output-format stream-json` and the Agent SDK print: the messages of a session without parents, of which each follows
 * the last one of the session, or of the sub-agent, that it is of.
 */
export class PrintedOutput {
  /** Undefined where nothing was printed: the records are those of a session's file. */
  sessionId: string | undefined
  #folder: string | undefined
  /** The last message by the call that its sub-agent works for; of the session by an empty text. */
  readonly #last = new Map<string, string>()
  /** What each response used, by its key, as its last line has it. */
  readonly #responses = new Map<string | undefined, readonly ResponseUsage[]>()
  /** What was counted so far, by model. */
  readonly #counted = new Map<string, Tokens>()

  /** A printed record with the names that a session's file has; any other as it is. */
  recordOf(value: Json): Json {
    const [sessionId, uuid] = [textIn(value, "session_id"), textIn(value, "uuid")]
    if (sessionId === undefined || uuid === undefined || textIn(value, "sessionId") !== undefined) return value
    this.sessionId ??= sessionId
    this.#folder = textIn(value, "cwd") ?? this.#folder
    const call = textIn(value, "parent_tool_use_id") ?? ""
    const parentUuid = this.#last.get(call) ?? null
    if (MESSAGES.has(value.type)) this.#last.set(call, uuid)
    const { request_id: requestId, tool_use_result: toolUseResult, claude_code_version: version } = value
    return {
      ...value,
      ...{ sessionId, parentUuid, isSidechain: call !== "", entrypoint: "sdk-cli" },
      ...(this.#folder !== undefined && { cwd: this.#folder }),
      ...(requestId !== undefined && { requestId }),
      ...(toolUseResult !== undefined && { toolUseResult }),
      ...(version !== undefined && { version }),
    }
  }

  /**
   * What each model used up to a printed result, beyond what the messages before it say, which are printed before their tokens are all counted.
   * Undefined of any other record. To be asked of each record, in their order.
   * @param value as `recordOf` returns it
   */
  usagesBeyond(
    { key, usage, sideUsages = [] }: ResponseHead,
    { type, modelUsage }: Json,
  ): readonly ResponseUsage[] | undefined {
    if (this.sessionId === undefined) return undefined
    if (usage) {
      const usages = [usage, ...sideUsages]
      for (const before of this.#responses.get(key) ?? []) this.#count(before, -1)
      for (const one of usages) this.#count(one, 1)
      this.#responses.set(key, usages)
    }
    const models = type === "result" ? objectIn({ modelUsage }, "modelUsage") : undefined
    if (!models) return undefined
    return Object.keys(models).flatMap((name) => {
      const used = objectIn(models, name) ?? {}
      const model = textIn(used, "canonicalModel") ?? name
      const counted = this.#counted.get(model)
      const left = COUNTS.map(([count, field]) => [count, Math.max(0, countIn(used, field) - (counted?.[count] ?? 0))])
      if (left.every(([, tokens]) => tokens === 0)) return []
      const usage = { model, ...(Object.fromEntries(left) as Tokens) }
      this.#count(usage, 1)
      return usage
    })
  }

  #count(usage: ResponseUsage, sign: 1 | -1): void {
    const counted = this.#counted.get(usage.model)
    const sums = COUNTS.map(([count]) => [count, (counted?.[count] ?? 0) + sign * (usage[count] ?? 0)])
    this.#counted.set(usage.model, Object.fromEntries(sums) as Tokens)
  }
}

/** Of a usage, and of a model in a printed result. */
const COUNTS = [
  ["input", "inputTokens"],
  ["output", "outputTokens"],
  ["cacheRead", "cacheReadInputTokens"],
  ["cacheWrite", "cacheCreationInputTokens"],
  ["cacheWrite1h", "cacheCreationEphemeral1hInputTokens"],
  ["webSearches", "webSearchRequests"],
] as const
