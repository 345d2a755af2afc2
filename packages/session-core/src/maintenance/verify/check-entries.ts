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
export class EntryChecks {
  readonly #state: SessionState
  #boundaries: Boundaries | undefined

  constructor(state: SessionState) {
    this.#state = state
  }

  of(ordinal: number, entry: SessionEntry): Diagnostic[] {
    const fault = (kind: DiagnosticKind, message: string) => [this.#state.faultAt(ordinal, kind, message)]
    const { id } = entry
    if (isEntry(entry, "label") && !this.#state.tree.has(entry.targetId)) {
      const message = `Label entry ${id} labels ${valueText(entry.targetId)}, which is not in the file.`
      return fault("unknown-label-target", message)
    }
    if (isEntry(entry, "context_edit") && !isEdit(entry.replacement))
      return fault("invalid-field", `Edit ${id} has no replacement; readers ignore it.`)
    if (isEntry(entry, "message") && !hasMessage(entry))
      return fault("invalid-field", `Entry ${id} is of type message, but has no message.`)
    if (!isEntry(entry, "compaction")) return []
    this.#boundaries ??= new Boundaries(this.#state)
    const unknown =
      retainedMessages(entry) || this.#boundaries.isKnown(ordinal, entry)
        ? []
        : fault("unknown-compaction-boundary", unknownBoundary(entry).message)
    if (entry.settings === undefined || sameJson(entry.settings, this.#boundaries.settingsAt(ordinal))) return unknown
    // A checkpoint must hold what the path to it gives; otherwise a reader that stops there sees other settings.
    const message = `Compaction ${id} carries settings that are not those of its path; a reader that trusts them is misled.`
    return [...unknown, ...fault("checkpoint-mismatch", message)]
  }
}

/** Answers what compactions have to say of their paths. Each entry is visited once, however many compactions there are. */
class Boundaries {
  readonly #state: SessionState
  readonly #ancestors: Ancestors
  readonly #byId = new Map<unknown, number[]>()
  readonly #settings = new Map<number, Checkpoint>()

  constructor(state: SessionState) {
    this.#state = state
    this.#ancestors = new Ancestors(state.tree)
    for (let ordinal = 0; ordinal < state.size; ordinal++) {
      const { id } = state.tree.headAt(ordinal)
      const twins = this.#byId.get(id)
      if (twins) twins.push(ordinal)
      else this.#byId.set(id, [ordinal])
    }
  }

  /** Whether the first entry that a compaction keeps, or the one before it, is on its path. */
  isKnown(ordinal: number, compaction: CompactionEntry): boolean {
    const candidates = this.#byId.get(keptAfter(compaction) ?? compaction.firstKeptEntryId) ?? []
    return candidates.some((candidate) => this.#ancestors.isOnPathTo(ordinal, candidate))
  }

  /** The settings on the path to a compaction, computed from those at the nearest compaction before it. */
  settingsAt(compaction: number): Checkpoint {
    const { tree } = this.#state
    const path = [compaction]
    let at = tree.parentOf(compaction)
    for (; at !== undefined && !this.#settings.has(at); at = tree.parentOf(at)) path.push(at)
    let settings = at === undefined ? undefined : this.#settings.get(at)
    let since: number[] = []
    for (const ordinal of path.reverse()) {
      if (tree.headAt(ordinal).type === "compaction") {
        settings = settingsAt(this.#state.pathOf(since), settings)
        this.#settings.set(ordinal, settings)
        since = []
      } else since.push(ordinal)
    }
    return settings as Checkpoint
  }
}

/** Answers in constant time whether an entry is on the path from the root to another, after one walk over the tree. */
class Ancestors {
  /** The place of each entry in an order in which the descendants of an entry follow it. */
  readonly #places: number[] = []
  /** How many entries each one and its descendants are. */
  readonly #counts: number[]

  constructor(tree: EntryTree) {
    const order: number[] = []
    const open = [...tree.roots()]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#places[next] = order.push(next)
      for (const child of tree.childrenOf(next)) open.push(child)
    }
    this.#counts = order.map(() => 1)
    for (const ordinal of order.reverse()) {
      const parent = tree.parentOf(ordinal)
      if (parent !== undefined) this.#counts[parent] = (this.#counts[parent] ?? 1) + (this.#counts[ordinal] ?? 1)
    }
  }

  /** Whether `ancestor` is `ordinal` itself, or its parent, or the parent of that, and so on. */
  isOnPathTo(ordinal: number, ancestor: number): boolean {
    const distance = (this.#places[ordinal] ?? Number.NaN) - (this.#places[ancestor] ?? Number.NaN)
    return distance >= 0 && distance < (this.#counts[ancestor] ?? 0)
  }
}
