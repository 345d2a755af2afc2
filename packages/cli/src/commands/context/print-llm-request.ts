import type { Session, SessionContext } from "@treelog/session-core"
import { jsonText } from "@treelog/session-core/json"
import { cleanJson, plural } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { type LlmFormat, llmRequest } from "./llm-request.js"

interface Source {
  readonly session: Session
  readonly leafId: string | null
  readonly built: SessionContext
}

/**
 * Prints a context as a model's API takes it: alone, so that it can be sent as it is, and on stderr what was repaired and left
 * out; or with `--json` all of it in a document.
 */
export async function printLlmRequest(
  context: CommandContext,
  { session, leafId, built }: Source,
  { format, provider, repair }: { format: LlmFormat; provider: string | undefined; repair: boolean },
): Promise<void> {
  const { request, changes, diagnostics } = llmRequest(built.messages, format, { provider, repair })
  const placed = <Note extends { index: number }>(note: Note): Note & { entryId: string | null } => ({
    ...note,
    entryId: built.entries[note.index] ?? null,
  })
  const [repairs, leftOut] = [changes.map(placed), diagnostics.map(placed)]
  if (context.options.json) {
    const head = { sessionId: session.getSessionId(), path: session.getSessionFile(), leafId }
    const notes = { changes: repairs, diagnostics: [...built.diagnostics, ...leftOut] }
    await context.printJson({ ...head, llm: format, repaired: repair, request, ...notes })
    return
  }
  await context.print([cleanJson(jsonText(request))])
  for (const { entryId, kind, message } of [...repairs, ...leftOut])
    await context.log(`${entryId ?? "-"} ${kind} ${message}`)
  if (repair)
    await context.log(changes.length === 0 ? "Nothing to repair." : `${plural(changes.length, "thing")} repaired.`)
}
