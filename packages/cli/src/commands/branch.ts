import type { Session } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { findEntryOrRoot } from "../find-entry.js"
import { withSession } from "../open-session.js"
import { printAppended } from "../print-appended.js"

export interface BranchOptions {
  readonly summary?: string
}

/** Moves the leaf of a session, and writes down where it is: with a summary of what is left, or by a mark. */
export async function branch(
  context: CommandContext,
  ref: string,
  entry: string,
  { summary }: BranchOptions,
): Promise<ExitCode> {
  const moved = await withSession(context, ref, (session) => {
    const targetId = findEntryOrRoot(session, entry)
    const entryId = summary === undefined ? marked(session, targetId) : session.branchWithSummary(targetId, summary)
    return { session, entryId, targetId }
  })
  await printAppended(context, moved)
  await context.say(
    `The conversation goes on ${moved.targetId === null ? "from the beginning" : `at ${moved.targetId}`}.`,
  )
  return EXIT.ok
}

function marked(session: Session, targetId: string | null): string {
  if (targetId === null) session.resetLeaf()
  else session.branch(targetId)
  return session.persistLeaf()
}
