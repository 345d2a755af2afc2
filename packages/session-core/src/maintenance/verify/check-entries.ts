import { keptAfter, retainedMessages, unknownBoundary } from "../../context/boundary.js"
import { hasMessage, isEdit } from "../../context/path-messages.js"
import { settingsAt } from "../../context/settings.js"
import type { Diagnostic, DiagnosticKind } from "../../entry/diagnostic.js"
import { type CompactionEntry, isEntry, type SessionEntry } from "../../entry/entry.js"
import { sameJson } from "../../entry/same-json.js"
import type { Checkpoint } from "../../entry/settings.js"
import { valueText } from "../../entry/values.js"
import type { SessionState } from "../../session/session-state.js"
import type { EntryTree } from "../../tree/entry-tree.js"

/** Finds what is wrong with the content of entries, their links aside: labels, compactions and their checkpoints, messages. */
export function entryChecks(state: SessionState): (ordinal: number, entry: SessionEntry) => Diagnostic[] {
  let boundaries: ReturnType<typeof boundariesIn> | undefined
  return (ordinal, entry) => {
    const fault = (kind: DiagnosticKind, message: string) => [state.faultAt(ordinal, kind, message)]
    const { id } = entry
    if (isEntry(entry, "label") && !state.tree.has(entry.targetId)) {
      const message = `Label entry ${id} labels ${valueText(entry.targetId)}, which is not in the file.`
      return fault("unknown-label-target", message)
    }
    if (isEntry(entry, "context_edit") && !isEdit(entry.replacement))
      return fault("invalid-field", `Edit ${id} has no replacement; readers ignore it.`)
    if (isEntry(entry, "message") && !hasMessage(entry))
      return fault("invalid-field", `Entry ${id} is of type message, but has no message.`)
    if (!isEntry(entry, "compaction")) return []
    boundaries ??= boundariesIn(state)
    const unknown =
      retainedMessages(entry) || boundaries.isKnown(ordinal, entry)
        ? []
        : fault("unknown-compaction-boundary", unknownBoundary(entry).message)
    if (entry.settings === undefined || sameJson(entry.settings, boundaries.settingsAt(ordinal))) return unknown
    // A checkpoint must hold what the path to it gives; otherwise a reader that stops there sees other settings.
    const message = `Compaction ${id} carries settings that are not those of its path; a reader that trusts them is misled.`
    return [...unknown, ...fault("checkpoint-mismatch", message)]
  }
}

/** Answers what compactions have to say of their paths. Each entry is visited once, however many compactions there are. */
function boundariesIn(state: SessionState) {
  const { tree } = state
  const isOnPathTo = ancestorsIn(tree)
  const byId = new Map<unknown, number[]>()
  const known = new Map<number, Checkpoint>()
  for (let ordinal = 0; ordinal < state.size; ordinal++) {
    const { id } = tree.headAt(ordinal)
    const twins = byId.get(id)
    if (twins) twins.push(ordinal)
    else byId.set(id, [ordinal])
  }
  return {
    /** Whether the first entry that a compaction keeps, or the one before it, is on its path. */
    isKnown(ordinal: number, compaction: CompactionEntry): boolean {
      const candidates = byId.get(keptAfter(compaction) ?? compaction.firstKeptEntryId) ?? []
      return candidates.some((candidate) => isOnPathTo(ordinal, candidate))
    },

    /** The settings on the path to a compaction, computed from those at the nearest compaction before it. */
    settingsAt(compaction: number): Checkpoint {
      const path = [compaction]
      let at = tree.parentOf(compaction)
      for (; at !== undefined && !known.has(at); at = tree.parentOf(at)) path.push(at)
      let settings = at === undefined ? undefined : known.get(at)
      let since: number[] = []
      for (const ordinal of path.reverse()) {
        if (tree.headAt(ordinal).type === "compaction") {
          settings = settingsAt(state.pathOf(since), settings)
          known.set(ordinal, settings)
          since = []
        } else since.push(ordinal)
      }
      return settings as Checkpoint
    },
  }
}

/**
 * Answers in constant time whether an entry is on the path from the root to another, after one walk over the tree: whether it is the other itself, or
 * its parent, or the parent of that, and so on.
 */
function ancestorsIn(tree: EntryTree): (ordinal: number, ancestor: number) => boolean {
  /** The place of each entry in an order in which the descendants of an entry follow it. */
  const places: number[] = []
  const order: number[] = []
  const open = [...tree.roots()]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    places[next] = order.push(next)
    for (const child of tree.childrenOf(next)) open.push(child)
  }
  /** How many entries each one and its descendants are. */
  const counts = order.map(() => 1)
  for (const ordinal of order.reverse()) {
    const parent = tree.parentOf(ordinal)
    if (parent !== undefined) counts[parent] = (counts[parent] ?? 1) + (counts[ordinal] ?? 1)
  }
  return (ordinal, ancestor) => {
    const distance = (places[ordinal] ?? Number.NaN) - (places[ancestor] ?? Number.NaN)
    return distance >= 0 && distance < (counts[ancestor] ?? 0)
  }
}
