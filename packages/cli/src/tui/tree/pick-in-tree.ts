import { isTreelogError, type Session } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { abandonedEntries } from "@treelog/session-core/compaction"
import type { TreeFilter } from "@treelog-internal/text"
import { knownErrorMessage } from "../../errors/error-report.js"
import type { CommandContext } from "../../io/command-context.js"
import { type StoredSession, withSession } from "../../sessions/open-to-read-or-write.js"
import { entryCost, openPrices } from "../../sessions/prices.js"
import { readOnlyManager } from "../../store/command-sessions.js"
import { pickerLook, quietContext, requireTerminal, startPicker } from "../frame/picker.js"
import { type TreeData, treeData } from "./shown-rows.js"
import { type TreeActions, TreePicker } from "./tree-picker.js"
import type { TreeChoice } from "./tree-press.js"

interface PickOptions {
  /** What is shown at first. */
  readonly filter: TreeFilter
  /** What needs a terminal, and what does the same without one. For an error. */
  readonly command: string
  readonly alternatives: string
  /** Whether to ask for a summary of what is left. */
  readonly canSummarize?: boolean
}

/** Lets the user walk through the tree and choose. @returns undefined when the user left */
export async function pickInTree(
  context: CommandContext,
  found: StoredSession,
  session: Session,
  { filter, command, alternatives, canSummarize = false }: PickOptions,
): Promise<TreeChoice | undefined> {
  const terminal = requireTerminal(context, command, alternatives)
  const look = pickerLook(context)
  const prices = await openPrices(context.io)
  const data = (of: Session): TreeData => treeData(of, (entry) => entryCost(entry, prices))
  const work = treeActions(context, found, session, { data, canSummarize })
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
  found: StoredSession,
  opened: Session,
  { data, canSummarize }: { readonly data: (session: Session) => TreeData; readonly canSummarize: boolean },
): TreeActions {
  let session = opened
  return {
    asksSummary: (entryId) => canSummarize && leavesSomething(session, entryId),
    label: async (entryId, text) => {
      const labelling = withSession(quietContext(context), found, (writing) => {
        writing.appendLabelChange(entryId, text)
      })
      await context.hold(labelling)
      session = await reopen(found, session)
      return data(session)
    },
    faultOf: knownErrorMessage,
  }
}

/** The session as it is now. Writing to a session of an old version replaces it; then it is opened again. */
async function reopen({ source, key }: StoredSession, session: Session): Promise<Session> {
  try {
    await session.refresh()
    return session
  } catch (error) {
    if (!isTreelogError(error, "SessionChangedError")) throw error
    return (await readOnlyManager(source, key)).open(key, { access: "read" })
  }
}

/** Whether a part of the conversation is on the path to the leaf, and not on the path to the entry. */
function leavesSomething(session: Session, entryId: string): boolean {
  const branch = session.getLeafId() === null ? [] : session.getBranch()
  return abandonedEntries(branch, session.getBranch(entryId)).some((entry) => kindOf(entry).conversation)
}
