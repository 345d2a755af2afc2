import { isTreelogError, type Session } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { abandonedEntries } from "@treelog/session-core/compaction"
import { readOnlyManager } from "../../blobs/session-blobs.js"
import { knownErrorMessage } from "../../errors/command-message.js"
import type { CommandContext } from "../../io/command-context.js"
import { commandSessions } from "../../sessions/command-sessions.js"
import { withSession } from "../../sessions/open-to-read-or-write.js"
import { openPrices } from "../../stats/prices.js"
import { entryCost } from "../../stats/session-cost.js"
import { pickerDisplay, quietContext, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { type TreeData, treeData } from "../../tui/tree/shown-rows.js"
import { type TreeActions, TreePicker } from "../../tui/tree/tree-picker.js"
import type { TreeChoice } from "../../tui/tree/tree-press.js"
import type { TreeOptions } from "./tree-options.js"

const ALTERNATIVES = "`treelog tree` prints it, and `--select ENTRY` continues from an entry without asking"

/** Lets the user walk through the tree and choose. @returns undefined when the user left */
export async function pickInTree(
  context: CommandContext,
  session: Session,
  { filter, summarizer }: TreeOptions,
): Promise<TreeChoice | undefined> {
  const terminal = requireTerminal(context, "treelog tree --interactive", ALTERNATIVES)
  const look = pickerDisplay(context)
  const prices = await openPrices(context.io)
  const data = (of: Session): TreeData => treeData(of, (entry) => entryCost(entry, prices))
  const work = treeActions(context, session, { data, hasSummarizer: summarizer !== undefined })
  const picker = new TreePicker(data(session), filter, look, work)
  try {
    return await startPicker(picker, terminal, look, context.io.interrupted)
  } finally {
    // A label that is being written is completed, even if the user leaves.
    await context.released()
  }
}

function treeActions(
  context: CommandContext,
  opened: Session,
  { data, hasSummarizer }: { readonly data: (session: Session) => TreeData; readonly hasSummarizer: boolean },
): TreeActions {
  const path = opened.getSessionFile() ?? opened.getSessionId()
  let session = opened
  return {
    asksSummary: (entryId) => hasSummarizer && leavesSomething(session, entryId),
    label: async (entryId, text) => {
      const labelling = withSession(quietContext(context), path, (writing) => {
        writing.appendLabelChange(entryId, text)
      })
      await context.hold(labelling)
      session = await reopen(context, session, path)
      return data(session)
    },
    faultOf: knownErrorMessage,
  }
}

/** The session as it is now. Writing to a session of an old version replaces it; then it is opened again. */
async function reopen(context: CommandContext, session: Session, path: string): Promise<Session> {
  try {
    await session.refresh()
    return session
  } catch (error) {
    if (!isTreelogError(error, "SessionChangedError")) throw error
    return (await readOnlyManager(await commandSessions(context), path)).open(path, { access: "read" })
  }
}

/** Whether a part of the conversation is on the path to the leaf, and not on the path to the entry. */
function leavesSomething(session: Session, entryId: string): boolean {
  const branch = session.getLeafId() === null ? [] : session.getBranch()
  return abandonedEntries(branch, session.getBranch(entryId)).some((entry) => kindOf(entry).conversation)
}
