import type { Diagnostic } from "../entry/diagnostic.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import { contentText, isJsonObject } from "../entry/values.js"
import type { Session } from "../session/session.js"
import { sessionParts } from "../session/session-parts.js"
import { knownEntry, pathTo } from "./session-path.js"
import { type BranchSummaryOptions, summarizePathTo } from "./summarize-branch.js"
import type { Summarizer } from "./summarizer.js"

/** What becomes of the branch that is left. */
export interface NavigateOptions extends BranchSummaryOptions {
  /** Have the branch that is left summarized at the new place. */
  readonly summarize?: Summarizer | undefined
  /** A label: for the summary, if there is one, otherwise for the entry that was named. */
  readonly label?: string | undefined
}

/** What became of a move. All but `moved` changed nothing: the summary had no text, or the leaf had moved when it came. */
export type Navigation =
  | {
      readonly status: "moved"
      /** Where the session stands now. */
      readonly leafId: string | null
      /** The text of the message that was named, to be edited and sent anew. */
      readonly editorText?: string
      /** The summary of what was left; absent where none was requested, or nothing was left. */
      readonly summaryId?: string
      /** With a summary: long texts that its summarizer saw cut, since the rest could not be restored. */
      readonly diagnostics?: readonly Diagnostic[]
    }
  | { readonly status: "empty-summary" | "overtaken" }

/**
 * Moves the leaf of a session to an entry of the tree (FORMAT.md, section 5). For a message of the user or of an extension, the leaf
 * becomes the entry before, and the text is returned for editing; for any other, that entry. With `summarize`, the abandoned branch gets
 * a summary, which becomes the leaf. When the summary fails, nothing has changed. May read synchronously.
 * @throws EntryNotFoundError, StorageError, SessionChangedError; whatever the summarizer throws; the reason of the signal when it
 * aborts; and what appends throw
 */
export async function navigateTo(
  session: Session,
  entryId: string,
  options: NavigateOptions = {},
): Promise<Navigation> {
  const { summarize, label } = options
  const entry = knownEntry(session, entryId)
  const path = pathTo(session, entryId)
  const text = textToEdit(entry)
  const place = text === undefined ? entryId : (path[path.length - 2]?.id ?? null)
  if (label || summarize) sessionParts(session).store.assertWritable()

  const outcome = summarize && (await summarizePathTo(session, path, place, summarize, options))
  if (outcome?.status === "empty-summary" || outcome?.status === "overtaken") return { status: outcome.status }
  const summary = outcome?.status === "summarized" ? outcome : undefined
  const leafId = summary?.entryId ?? place
  moveTo(session, leafId)
  if (label) {
    session.appendLabelChange(summary?.entryId ?? entryId, label)
    // The label stands under the new place, so that a reload resumes there; the next entry need not stand under the label.
    moveTo(session, leafId)
  }
  return {
    status: "moved",
    leafId,
    ...(text !== undefined && { editorText: text }),
    ...(summary && { summaryId: summary.entryId, diagnostics: summary.diagnostics }),
  }
}

function moveTo(session: Session, leafId: string | null): void {
  if (leafId === null) session.resetLeaf()
  else session.branch(leafId)
}

/** The text of a message that a user may want to edit; undefined for all other entries. */
function textToEdit(entry: SessionEntry): string | undefined {
  if (isEntry(entry, "custom_message")) return contentText(entry.content)
  if (!isEntry(entry, "message") || !isJsonObject(entry.message)) return undefined
  const { role, content } = entry.message
  return role === "user" || role === "custom" || role === "hookMessage" ? contentText(content) : undefined
}
