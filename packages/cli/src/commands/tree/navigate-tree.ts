import type { Diagnostic, Session } from "@treelog/session-core"
import { navigateTo } from "@treelog/session-core/compaction"
import { cleanLine, cleanTabbed } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { findEntry } from "../../sessions/find-entry.js"
import { findSession } from "../../sessions/find-session.js"
import { openFound, type StoredSession, withSession } from "../../sessions/open-to-read-or-write.js"
import { printDiagnostics } from "../../sessions/print-written.js"
import { withShellSummarizer } from "../../summarizer/shell-summarizer.js"
import { noSummary } from "../../summarizer/summary-error.js"
import { pickInTree } from "../../tui/tree/pick-in-tree.js"
import type { TreeOptions } from "./tree-options.js"

/** Moves the leaf of a session to an entry: the one that is named, or that the user chooses. */
export async function navigateTree(
  context: CommandContext,
  ref: string | undefined,
  options: TreeOptions,
): Promise<ExitCode> {
  const { select, summarizer, instructions, timeout } = options
  const found = await findSession(context, ref)
  const session = await openFound(context, found)
  let destination: NavigationTarget | undefined
  if (select !== undefined) destination = { entryId: findEntry(session, select), summarizer, instructions, timeout }
  else {
    const choice = await pickInTree(context, found, session, {
      filter: options.filter,
      command: "treelog tree --interactive",
      alternatives: "`treelog tree` prints it, and `--select ENTRY` continues from an entry without asking",
      canSummarize: summarizer !== undefined,
    })
    destination = choice && {
      entryId: choice.entryId,
      summarizer: choice.summarize ? summarizer : undefined,
      instructions: choice.instructions ?? instructions,
      timeout,
    }
  }
  if (!destination) return EXIT.interrupted
  await printNavigation(context, await navigateSession(context, found, destination), destination)
  return EXIT.ok
}

interface NavigationTarget {
  readonly entryId: string
  /** A command line that summarizes the branch that is left. */
  readonly summarizer?: string | undefined
  readonly instructions?: string | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** The new position of a session. */
interface NavigationResult {
  readonly session: Session
  /** What was written: the summary, or a mark; null where the session was there already. */
  readonly entryId: string | null
  /** The entry that the session continues from; null for the root. */
  readonly targetId: string | null
  /** The text of the message that was named, to be edited and sent again. */
  readonly editorText?: string | undefined
  readonly hasSummary: boolean
  /** Long texts that the summarizer saw cut. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Moves the leaf of a stored session by the rules of `Session.navigateTo`, and stores the new leaf.
 * @throws SummaryError, SessionBusyError, EntryNotFoundError
 */
function navigateSession(
  context: CommandContext,
  found: StoredSession,
  destination: NavigationTarget,
): Promise<NavigationResult> {
  return withSession(context, found, async (session) => {
    const before = session.getLeafId()
    const moved = await navigated(context, session, destination)
    if (moved.status !== "moved") throw noSummary(moved.status, destination.summarizer)
    const { leafId: targetId, summaryId, editorText, diagnostics = [] } = moved
    const entryId = summaryId ?? (targetId === before ? null : session.persistLeaf())
    return { session, entryId, targetId, editorText, hasSummary: summaryId !== undefined, diagnostics }
  })
}

function navigated(
  context: CommandContext,
  session: Session,
  destination: NavigationTarget,
): ReturnType<typeof navigateTo> {
  const { entryId, summarizer: command, instructions, timeout } = destination
  if (command === undefined) return navigateTo(session, entryId)
  return withShellSummarizer(context, { command, timeout }, (summarize, signal) =>
    navigateTo(session, entryId, { summarize, instructions, signal }),
  )
}

/** Prints the current entry of a session, and below it the text to edit, if there is one. */
async function printNavigation(
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
