import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { findEntry } from "../../sessions/find-entry.js"
import { openForReading } from "../../sessions/open-session.js"
import { type NavigationTarget, navigateSession } from "./navigate-to.js"
import { pickInTree } from "./pick-in-tree.js"
import { printNavigation } from "./print-navigation.js"
import type { TreeOptions } from "./tree-options.js"

/** Moves the leaf of a session to an entry: the one that is named, or that the user chooses. */
export async function navigateTree(
  context: CommandContext,
  ref: string | undefined,
  options: TreeOptions,
): Promise<ExitCode> {
  const { select, summarizer, instructions, timeout } = options
  const session = await openForReading(context, ref)
  const path = session.getSessionFile() ?? session.getSessionId()
  let destination: NavigationTarget | undefined
  if (select !== undefined) destination = { entryId: findEntry(session, select), summarizer, instructions, timeout }
  else {
    const choice = await pickInTree(context, session, options)
    destination = choice && {
      entryId: choice.entryId,
      summarizer: choice.summarize ? summarizer : undefined,
      instructions: choice.instructions ?? instructions,
      timeout,
    }
  }
  if (!destination) return EXIT.interrupted
  await printNavigation(context, await navigateSession(context, path, destination), destination)
  return EXIT.ok
}
