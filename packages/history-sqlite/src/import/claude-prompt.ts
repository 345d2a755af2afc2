import type { ImportedPrompt } from "../prompt.js"
import { jsonFields } from "./json-fields.js"

/** The placeholder in a prompt for a text that was pasted, or that its line has not in full, as Claude Code 2.1.332 fills them in. */
const PASTED = /\[(?:Pasted text|\.\.\.Truncated text|✦ Team setup guide) #(\d{1,9})(?!\d)[^[\]]*\]/g

/**
 * Parses a line of Claude Code's `history.jsonl`: `{ display, pastedContents, timestamp, project, sessionId }`, `timestamp` in
 * milliseconds since 1970. Undefined for a line of another kind. The prompt is as it was sent, with what was pasted.
 * @param cached a pasted text that is kept in a file of its own, by its hash; undefined where it is gone
 */
export function claudePrompt(
  line: string,
  cached: (hash: string) => string | undefined = () => undefined,
): ImportedPrompt | undefined {
  const { display, pastedContents, timestamp, project, sessionId } = jsonFields(line)
  if (typeof display !== "string" || typeof timestamp !== "number") return undefined
  const pastes = typeof pastedContents === "object" && pastedContents !== null ? pastedContents : {}
  const text = display.replace(PASTED, (mark, id: string) => {
    const { type, content, contentHash } = fieldsOf((pastes as Record<string, unknown>)[id])
    if (type !== "text") return mark
    const pasted = typeof content === "string" ? content : undefined
    return pasted ?? (typeof contentHash === "string" ? cached(contentHash) : undefined) ?? mark
  })
  return { text, createdAt: timestamp, cwd: nonEmptyText(project), sessionId: nonEmptyText(sessionId) }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}
