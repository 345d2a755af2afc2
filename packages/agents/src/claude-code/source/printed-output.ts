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
   * What each model used up to a printed result, beyond what the records before it say: messages are printed before their tokens are all counted.
   * Undefined of any other record.
   * @param value as `recordOf` returns it
   */
  usagesBeyond(before: readonly ResponseHead[], { type, modelUsage }: Json): readonly ResponseUsage[] | undefined {
    const models =
      this.sessionId === undefined || type !== "result" ? undefined : objectIn({ modelUsage }, "modelUsage")
    if (!models) return undefined
    const responses = new Map(before.map(({ key, usage }) => [key, usage]))
    const counted = [...responses.values(), ...before.flatMap(({ sideUsages = [] }) => sideUsages)]
    return Object.keys(models).flatMap((name) => {
      const used = objectIn(models, name) ?? {}
      const model = textIn(used, "canonicalModel") ?? name
      const own = counted.filter((usage) => usage?.model === model)
      const left = COUNTS.map(([count, field]) => {
        return [count, Math.max(0, countIn(used, field) - own.reduce((sum, usage) => sum + (usage?.[count] ?? 0), 0))]
      })
      return left.some(([, tokens]) => tokens !== 0) ? { model, ...(Object.fromEntries(left) as Tokens) } : []
    })
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
