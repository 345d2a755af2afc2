import { countIn, type Json, objectIn, textIn } from "@treelog-internal/agent-files"
import type { ResponseUsage } from "./response-head.js"

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
   * What each model used up to a printed result; undefined of any other record. Messages are printed before their tokens are all counted.
   * @param value as `recordOf` returns it
   */
  sumsIn({ type, modelUsage }: Json): readonly ResponseUsage[] | undefined {
    if (this.sessionId === undefined || type !== "result") return undefined
    const models = objectIn({ modelUsage }, "modelUsage")
    if (!models) return undefined
    return Object.keys(models).map((name) => {
      const used = objectIn(models, name) ?? {}
      return {
        model: textIn(used, "canonicalModel") ?? name,
        input: countIn(used, "inputTokens"),
        output: countIn(used, "outputTokens"),
        cacheRead: countIn(used, "cacheReadInputTokens"),
        cacheWrite: countIn(used, "cacheCreationInputTokens"),
        cacheWrite1h: countIn(used, "cacheCreationEphemeral1hInputTokens"),
        webSearches: countIn(used, "webSearchRequests"),
      }
    })
  }
}
