import type { SessionInfo } from "@treelog/session-core"

/** The variables in which agents name their session to the servers that they start: Claude Code, Qwen Code, Copilot. */
const VARIABLES = ["CLAUDE_CODE_SESSION_ID", "QWEN_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID"] as const
/** In what Codex sends with each call. */
const META = "threadId"
/** A session of a folder that was not written for so long is none that asks. Milliseconds. */
const RECENT = 10 * 60_000

/** Where the session that asks may be named. */
export interface Client {
  /** The environment in which the server was started. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the client sent with the call, as `_meta`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** The sessions that ask, or may: what they say is no evidence of what was done before. */
export interface AskingSessions {
  /** The id that the client names. It may be one that it has left since, but for an id that came with the call. */
  readonly named: string | undefined
  /** The one of its folder that was written to last, where the client does not name one with the call. */
  readonly newest: string | undefined
}

/**
 * The sessions that ask.
 * @param newestOf the session of the client's folder that was written to last
 * @param now milliseconds since 1970
 */
export async function askingSessions(
  { env, meta }: Client,
  newestOf: () => Promise<SessionInfo | undefined>,
  now: number,
): Promise<AskingSessions> {
  const sent = meta?.[META]
  if (typeof sent === "string") return { named: sent, newest: undefined }
  const [named] = VARIABLES.flatMap((name) => env[name] || [])
  const newest = await newestOf()
  const isRecent = newest !== undefined && newest.error === undefined && now - newest.modified < RECENT
  return { named, newest: isRecent && newest.id !== named ? newest.id : undefined }
}
