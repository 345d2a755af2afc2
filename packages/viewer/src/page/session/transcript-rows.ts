import { isEntry } from "@treelog/session-core"
import { contextBoundary } from "@treelog/session-core/adapter"
import { type BranchPath, type Fork, forkAt, lazyPath } from "./branch-path.js"
import type { EntrySummary } from "./entry-summary.js"
import type { PageSession } from "./page-session.js"

/** A row of the transcript: an entry; tool results are in the row of their call, and quiet entries in that of the quiet one before. */
export interface TranscriptRow {
  readonly ordinal: number
  /** The entry with the result of each call, by the call's id. */
  readonly results: ReadonlyMap<string, number>
  /** Of a quiet row: all its entries, since some programs write as many of them as messages. Else undefined. */
  readonly quiet: readonly number[] | undefined
  readonly fork: Fork | undefined
  /** Whether the model still gets the entry, or one of a quiet row: false after a compaction or reset excluded it, or an edit omitted it. */
  readonly inContext: boolean
  /** How a context edit changes it for the model. */
  readonly edited: "omitted" | "replaced" | undefined
  /** The context edit of each edited entry of the branch, by their ordinals: the results of a row may be edited, too. */
  readonly edits: ReadonlyMap<number, number>
}

export interface TranscriptRows {
  readonly rows: readonly TranscriptRow[]
  /** The row of each entry, by its ordinal. */
  readonly rowOf: ReadonlyMap<number, number>
}

type GrowingRow = Omit<TranscriptRow, "quiet" | "inContext"> & {
  readonly quiet: number[] | undefined
  inContext: boolean
}

const NO_RESULTS: ReadonlyMap<string, number> = new Map()

export function transcriptRows(session: PageSession, path: BranchPath): TranscriptRows {
  const isInContext = seenByModel(session, path)
  const edits = editsOn(session, path)
  const rows: GrowingRow[] = []
  const rowOf = new Map<number, number>()
  /** Calls without a result so far, with their rows. */
  const open = new Map<string, number>()
  path.forEach((ordinal, index) => {
    if (session.isLeafMarker(ordinal)) return
    const summary = session.summary(ordinal)
    const fork = forkAt(session, ordinal)
    const asked = summary.answers === undefined ? undefined : open.get(summary.answers)
    const row = asked === undefined || fork ? undefined : rows[asked]
    if (row && asked !== undefined && summary.answers !== undefined) {
      ;(row.results as Map<string, number>).set(summary.answers, ordinal)
      open.delete(summary.answers)
      rowOf.set(ordinal, asked)
      return
    }
    const edit = edits.get(ordinal)
    const edited = edit === undefined ? undefined : editOf(session, edit) === null ? "omitted" : "replaced"
    const inContext = givesMessage(summary) && edited !== "omitted" && isInContext(index)
    const isQuiet = summary.isQuiet && !fork && !edited && session.labels.get(summary.id) === undefined
    const before = rows.at(-1)
    if (isQuiet && before?.quiet) {
      before.quiet.push(ordinal)
      before.inContext ||= inContext
      rowOf.set(ordinal, rows.length - 1)
      return
    }
    for (const call of summary.calls ?? []) open.set(call, rows.length)
    rowOf.set(ordinal, rows.length)
    const results = summary.calls ? new Map() : NO_RESULTS
    rows.push({ ordinal, results, quiet: isQuiet ? [ordinal] : undefined, fork, inContext, edited, edits })
  })
  return { rows, rowOf }
}

function givesMessage({ speaker }: EntrySummary): boolean {
  return speaker !== "note" && speaker !== "reset"
}

function seenByModel(session: PageSession, path: BranchPath): (index: number) => boolean {
  const { compaction, kept, rest } = contextBoundary(lazyPath(session, path))
  const summarized = compaction ? session.tree.ordinalOf(compaction.id) : undefined
  return (index) => (index >= kept.from && index < kept.to) || index >= rest || path[index] === summarized
}

/** The last edit of each target on the path, by their ordinals. */
function editsOn(session: PageSession, path: BranchPath): Map<number, number> {
  const edits = new Map<number, number>()
  for (const ordinal of path) {
    if (session.summary(ordinal).type !== "context_edit") continue
    const entry = session.entry(ordinal)
    const target = isEntry(entry, "context_edit") ? session.tree.ordinalOf(entry.targetId) : undefined
    if (target !== undefined) edits.set(target, ordinal)
  }
  return edits
}

/** What an entry is replaced by for the model; null where it is left out. @param edit the ordinal of the context edit */
export function editOf(session: PageSession, edit: number): { readonly content?: unknown } | null {
  const entry = session.entry(edit)
  return isEntry(entry, "context_edit") ? entry.replacement : null
}
