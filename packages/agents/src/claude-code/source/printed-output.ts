import { type Json, textIn } from "@treelog-internal/agent-files"

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
}
