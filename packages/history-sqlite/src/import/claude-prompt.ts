import type { ImportedPrompt } from "@treelog/session-core/prompt-history"
import { jsonFields } from "./json-fields.js"

/**
 * Parses a line of Claude Code's `history.jsonl`: `{ display, timestamp, project, sessionId }`, `timestamp` in
 * milliseconds since 1970. Undefined for a line of another kind.
 */
export function claudePrompt(line: string): ImportedPrompt | undefined {
  const { display, timestamp, project, sessionId } = jsonFields(line)
  if (typeof display !== "string" || typeof timestamp !== "number") return undefined
  return { text: display, createdAt: timestamp, cwd: nonEmptyText(project), sessionId: nonEmptyText(sessionId) }
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}
