import type { Session } from "@treelog/session-core"

type Replacement = { content: unknown } | null

/**
 * The replacement as pi 1.x stores it: text becomes a block in messages that have only blocks.
 * @throws Error with pi's messages
 */
export function editOf(session: Session, targetId: string, replacement: Replacement): Replacement {
  const content: unknown = replacement === null ? "" : Object(replacement).content
  if (typeof content !== "string" && !Array.isArray(content))
    throw new Error("Context edit replacement must be null or contain string/array content")
  const target = session.getEntry(targetId)
  if (!target) throw new Error(`Entry ${targetId} not found`)
  if (!session.getBranch().some(({ id }) => id === targetId))
    throw new Error(`Entry ${targetId} is not on the active branch`)
  const { message } = target as { message?: { role?: unknown } }
  const role = target.type === "message" ? message?.role : undefined
  const isMessage = role === "user" || role === "assistant" || role === "toolResult"
  if (!isMessage && target.type !== "custom_message")
    throw new Error(`Entry ${targetId} does not contribute editable model content`)
  const needsBlocks = role === "assistant" || role === "toolResult"
  if (replacement === null || !needsBlocks || typeof content !== "string") return replacement
  return { content: [{ type: "text", text: content }] }
}
