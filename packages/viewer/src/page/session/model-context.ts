import { buildSessionContext, type Diagnostic, type Message, type SessionContext } from "@treelog/session-core"
import { type ContextShare, contextUse, estimateTokens } from "@treelog/session-core/compaction"
import { convertToLlm, type LlmMessage } from "@treelog/session-core/messages"
import type { BranchPath } from "./branch-path.js"
import type { PageSession } from "./page-session.js"

/** The context at the end of a branch. */
export interface ModelContext {
  readonly messages: readonly SeenMessage[]
  readonly context: SessionContext
  /** The size by FORMAT.md, section 9. */
  readonly tokens: number
  /** What fills it, the largest first. */
  readonly shares: readonly ContextShare[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface SeenMessage {
  readonly message: LlmMessage
  /** The entry of the message. */
  readonly ordinal: number | undefined
  /** Estimated tokens. */
  readonly tokens: number
}

/** Builds the context of a branch, which parses all of its entries. */
export function modelContext(session: PageSession, path: BranchPath): ModelContext {
  const entries = path.map((ordinal) => session.entry(ordinal))
  const context = buildSessionContext(entries, entries.at(-1)?.id ?? null)
  const leftOut: Diagnostic[] = []
  const messages = context.messages.flatMap((message, index): SeenMessage[] => {
    const id = context.entries[index]
    const converted = convertToLlm([message])
    const [seen] = converted.messages
    for (const { kind } of converted.diagnostics)
      leftOut.push({ kind: "invalid-field", message: LEFT_OUT[kind], ...(id !== undefined && { entryId: id }) })
    if (!seen) return []
    return [
      {
        message: seen,
        ordinal: id === undefined ? undefined : session.tree.ordinalOf(id),
        tokens: estimateTokens(seen as Message),
      },
    ]
  })
  const tokens = messages.reduce((sum, { tokens }) => sum + tokens, 0)
  const shares = contextUse(entries, context.messages)
  return { messages, context, tokens, shares, diagnostics: [...context.diagnostics, ...leftOut] }
}

const LEFT_OUT: Readonly<Record<ReturnType<typeof convertToLlm>["diagnostics"][number]["kind"], string>> = {
  "unknown-role": "A message has an unknown role; it is left out.",
  "not-a-message": "An entry has no message; it is left out.",
  "unknown-block": "A message has a block that no API's form has; that block is left out.",
}
