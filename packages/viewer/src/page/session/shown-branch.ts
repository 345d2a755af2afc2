import { type BranchPath, branchPath } from "./branch-path.js"
import { type ModelContext, modelContext } from "./model-context.js"
import type { PageSession } from "./page-session.js"
import { type TranscriptRows, transcriptRows } from "./transcript-rows.js"
import { type TreeFilter, type TreeRow, treeRows } from "./tree-rows.js"
import { type UsagePoint, usagePoints } from "./usage-points.js"

const NO_ROWS: TranscriptRows = { rows: [], rowOf: new Map() }

/** The branch that is shown, with what is drawn of it: its transcript, its plot, its context, and the tree around it. */
export class ShownBranch {
  #session: PageSession | undefined
  /** Where it ends; undefined as long as none was chosen and the page goes with the session. */
  #chosenLeaf: number | undefined
  #context: { readonly key: string; readonly context: ModelContext } | undefined
  readonly #folded = new Set<number>()
  path: BranchPath = []
  onPath: ReadonlySet<number> = new Set()
  rows: TranscriptRows = NO_ROWS
  usage: readonly UsagePoint[] = []
  tree: readonly TreeRow[] = []
  filter: TreeFilter = "conversation"

  /** Of a session that has grown: the chosen branch as long as it is now. Of another session: the one that it stands on. */
  show(session: PageSession): void {
    if (session !== this.#session) this.clear()
    this.#session = session
    if (this.#chosenLeaf !== undefined) this.#chosenLeaf = session.newestBelow(this.#chosenLeaf)
    this.#draw()
  }

  clear(): void {
    this.#session = undefined
    this.#chosenLeaf = undefined
    this.#context = undefined
    this.#folded.clear()
    this.path = []
    this.onPath = new Set()
    this.rows = NO_ROWS
    this.usage = []
    this.tree = []
  }

  /** Sees to it that an entry is on the branch: where it is not, the newest branch that it is on is chosen. */
  choose(ordinal: number): void {
    if (!this.#session || this.onPath.has(ordinal)) return
    this.#chosenLeaf = this.#session.newestBelow(ordinal)
    this.#draw()
  }

  setFilter(filter: TreeFilter): void {
    this.filter = filter
    this.#drawTree()
  }

  /** Folds up a branch of the tree that begins at an entry, or unfolds it. */
  setFolded(ordinal: number, isFolded: boolean): void {
    if (isFolded) this.#folded.add(ordinal)
    else this.#folded.delete(ordinal)
    this.#drawTree()
  }

  isFolded(ordinal: number): boolean {
    return this.#folded.has(ordinal)
  }

  /** What the model gets at the end of the branch; worked out when it is asked for. */
  context(): ModelContext | undefined {
    if (!this.#session) return undefined
    const key = `${this.#session.count} ${this.path.at(-1)}`
    if (this.#context?.key !== key) this.#context = { key, context: modelContext(this.#session, this.path) }
    return this.#context.context
  }

  #draw(): void {
    if (!this.#session) return
    this.path = branchPath(this.#session, this.#chosenLeaf ?? this.#session.leaf())
    this.onPath = new Set(this.path)
    this.rows = transcriptRows(this.#session, this.path)
    this.usage = usagePoints(this.#session, this.path)
    this.#drawTree()
  }

  #drawTree(): void {
    if (this.#session) this.tree = treeRows(this.#session, this.filter, this.onPath, this.#folded)
  }
}
