// The types of @anthropic-ai/claude-agent-sdk that the adapter uses, written down here so that it does not depend on the SDK.

/** Which transcript: that of a session, or with `subpath` one of its subagents. */
export interface ClaudeSessionKey {
  readonly projectKey: string
  readonly sessionId: string
  readonly subpath?: string
}

/** A line of a transcript. */
export interface ClaudeSessionEntry {
  type: string
  uuid?: string
  timestamp?: string
  [key: string]: unknown
}

/** What the SDK keeps of a session for lists. */
export interface ClaudeSessionSummary {
  sessionId: string
  /** Milliseconds since 1970. */
  mtime: number
  /** Only the SDK interprets it. */
  data: Record<string, unknown>
}

/** `foldSessionSummary` of the SDK: adds entries to a summary. */
export type FoldSessionSummary = (
  previous: ClaudeSessionSummary | undefined,
  key: { projectKey: string; sessionId: string },
  entries: ClaudeSessionEntry[],
  options?: { mtime?: number },
) => ClaudeSessionSummary
