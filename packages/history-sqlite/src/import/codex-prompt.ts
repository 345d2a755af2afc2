import type { ImportedPrompt } from "../prompt.js"
import { jsonFields } from "./json-fields.js"

/**
 * Parses a line of Codex's `history.jsonl`: `{ session_id, ts, text }`, `ts` in seconds since 1970. It has no folder. Undefined for a
 * line of another kind.
 */
export function codexPrompt(line: string): ImportedPrompt | undefined {
  const { session_id, ts, text } = jsonFields(line)
  if (typeof text !== "string" || typeof ts !== "number") return undefined
  return { text, createdAt: ts * 1000, sessionId: typeof session_id === "string" ? session_id : undefined }
}
