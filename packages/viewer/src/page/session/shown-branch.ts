import type { TreeFilter } from "@treelog-internal/text"
import { type BesideBranch, besideBranch } from "./beside-branch.js"
import { type BranchPath, branchPath } from "./branch-path.js"
import { type ModelContext, modelContext } from "./model-context.js"
import type { PageSession } from "./page-session.js"
import { type TranscriptRows, transcriptRows } from "./transcript-rows.js"
import { rowsOfTree, type TreeRow } from "./tree-rows.js"
import { type UsagePoint, usagePoints } from "./usage-points.js"

/** The branch that is shown: its transcript, plot and context, and the tree around it. */
export class ShownBranch {
  readonly session: PageSession
  /** The chosen leaf; undefined while the page follows the leaf of the session. */
  #chosenLeaf: number | undefined
  /** The chosen leaf of the branch beside it. */
  #besideLeaf: number | undefined
  #context: { readonly key: string; readonly context: ModelContext } | undefined
  readonly #folded = new Set<number>()
  path: BranchPath = []
  onPath: ReadonlySet<number> = new Set()
  rows: TranscriptRows = { rows: [], rowOf: new Map() }
  usage: readonly UsagePoint[] = []
  tree: readonly TreeRow[] = []
  /** Another branch beside this one, if there is one, each from where they diverge. */
  beside: BesideBranch | undefined
  filter: TreeFilter

  /** Shows the branch of the session's leaf. */
  constructor(session: PageSession, filter: TreeFilter = "no-tools") {
    this.session = session
    this.filter = filter
    this.#draw()
  }

  /** Updates the branch when the session has grown. */
  grow(): void {
    if (this.#chosenLeaf !== undefined) this.#chosenLeaf = this.session.newestBelow(this.#chosenLeaf)
    if (this.#besideLeaf !== undefined) this.#besideLeaf = this.session.newestBelow(this.#besideLeaf)
    this.#draw()
  }

  /** Chooses the newest branch of an entry, unless the entry is on a shown branch already. */
  choose(ordinal: number): void {
    if (this.onPath.has(ordinal) || this.beside?.right.rowOf.has(ordinal)) return
    this.#chosenLeaf = this.session.newestBelow(ordinal)
    this.#draw()
  }

  /**
   * Shows the newest branch of an entry beside the chosen one; undefined shows none.
   * @returns whether there is a branch beside it now: not where the entry is on the chosen one
   */
  setBeside(ordinal: number | undefined): boolean {
    this.#besideLeaf = ordinal === undefined ? undefined : this.session.newestBelow(ordinal)
    this.#draw()
    return this.beside !== undefined
  }

  /** The end of the shown branch. */
  get leaf(): number | undefined {
    return this.path.at(-1)
  }

  setFilter(filter: TreeFilter): void {
    this.filter = filter
    this.#drawTree()
  }

  /** Collapses or expands the branch of the tree that starts at an entry. */
  setFolded(ordinal: number, isFolded: boolean): void {
    if (isFolded) this.#folded.add(ordinal)
    else this.#folded.delete(ordinal)
    this.#drawTree()
  }

  isFolded(ordinal: number): boolean {
    return this.#folded.has(ordinal)
  }

  /** The context at the end of the branch, computed on demand. */
  context(): ModelContext {
    const key = `${this.session.count} ${this.path.at(-1)}`
    if (this.#context?.key !== key) this.#context = { key, context: modelContext(this.session, this.path) }
    return this.#context.context
  }

  #draw(): void {
    this.path = branchPath(this.session, this.#chosenLeaf ?? this.session.leaf())
    this.onPath = new Set(this.path)
    this.rows = transcriptRows(this.session, this.path)
    this.beside =
      this.#besideLeaf === undefined ? undefined : besideBranch(this.session, this.path, this.#besideLeaf, this.rows)
    if (!this.beside) this.#besideLeaf = undefined
    this.usage = usagePoints(this.session, this.path)
    this.#drawTree()
  }

  #drawTree(): void {
    this.tree = rowsOfTree(this.session, this.filter, this.onPath, this.#folded)
  }
}
