import { cleanLine, cleanTabbed } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { printDiagnostics } from "../../sessions/print-diagnostics.js"
import type { NavigationResult, NavigationTarget } from "./navigate-to.js"

/** Prints the current entry of a session, and below it the text to edit, if there is one. */
export async function printNavigation(
  context: CommandContext,
  { session, entryId, targetId, editorText, hasSummary, diagnostics }: NavigationResult,
  { entryId: selectedId, summarizer }: NavigationTarget,
): Promise<void> {
  if (context.options.json) {
    await context.printJson({
      sessionId: session.getSessionId(),
      path: session.getSessionFile(),
      entryId,
      leafId: session.getLeafId(),
      targetId,
      selectedId,
      ...(editorText !== undefined && { editorText }),
      ...(summarizer !== undefined && { summarized: hasSummary, diagnostics }),
    })
    return
  }
  await context.print([cleanLine(targetId ?? "root"), ...(editorText === undefined ? [] : [cleanTabbed(editorText)])])
  await printDiagnostics(context, diagnostics)
  if (summarizer !== undefined && !hasSummary) await context.log("There was nothing to summarize.")
  await context.log(`The session continues ${targetId === null ? "from the beginning" : `at ${targetId}`}.`)
}
