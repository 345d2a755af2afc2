// What the page shows, and what one can do with it. Views draw it; each change is told to them.

import { isTreelogError } from "@treelog/session-core"
import { type BranchPath, branchPath, forkAt } from "../session/branch-path.js"
import { type ModelContext, modelContext } from "../session/model-context.js"
import type { PageSession } from "../session/page-session.js"
import { type Reading, readSession } from "../session/read-session.js"
import { type TranscriptRows, transcriptRows } from "../session/transcript-rows.js"
import { type TreeFilter, type TreeRow, treeRows } from "../session/tree-rows.js"
import { type UsagePoint, usagePoints } from "../session/usage-points.js"
import { sortFiles } from "../source/dropped-files.js"
import { FileBlobs } from "../source/file-blobs.js"
import { fileSource } from "../source/file-source.js"
import type { BlobSource, SessionSource } from "../source/session-source.js"
import { readableLine } from "../text/readable-text.js"
import { addressedId, entryAddress } from "./entry-address.js"
import { Folds } from "./folds.js"
import { Searching } from "./searching.js"
import { Seen } from "./seen.js"
import { type Theme, ThemeChoice } from "./theme-choice.js"

export type ViewName = "transcript" | "context"

export type Dialog =
  | { readonly kind: "picture"; readonly url: string; readonly name: string }
  | { readonly kind: "help" }

/** What the page is at. */
export type Phase =
  | { readonly kind: "waiting"; readonly choice: readonly File[] }
  | { readonly kind: "reading"; readonly name: string }
  | { readonly kind: "shown"; readonly name: string; readonly reading: Reading }
  | { readonly kind: "failed"; readonly name: string; readonly message: string }

/** Where one wants to be taken. */
export interface Goal {
  readonly ordinal: number
  /** What had the focus when one asked for the goal to get it: who has gone elsewhere since stays there. Undefined: it stays anyway. */
  readonly focusFrom: Element | null | undefined
}

/** For so long a message stands. Milliseconds. */
const NOTICE_MS = 6_000

const NO_ROWS: TranscriptRows = { rows: [], rowOf: new Map() }

export class Viewer {
  readonly folds = new Folds()
  readonly searching = new Searching(() => this.#told())
  readonly seen = new Seen()
  readonly #theme = new ThemeChoice()
  readonly #droppedBlobs = new FileBlobs()
  readonly #listeners = new Set<() => void>()
  #reading = new AbortController()
  #source: SessionSource | undefined
  phase: Phase = { kind: "waiting", choice: [] }
  view: ViewName = "transcript"
  /** On narrow screens the side panel covers the page, and is shut at first. */
  isPanelOpen = false
  isUsageOpen = window.innerHeight > 620
  dialog: Dialog | undefined
  treeFilter: TreeFilter = "conversation"
  readonly foldedBranches = new Set<number>()
  /** Entries that are shown as they are stored. */
  readonly rawEntries = new Set<number>()
  /** The entry that one is at. */
  current: number | undefined
  goal: Goal | undefined
  path: BranchPath = []
  onPath: ReadonlySet<number> = new Set()
  rows: TranscriptRows = NO_ROWS
  tree: readonly TreeRow[] = []
  usage: readonly UsagePoint[] = []
  /** Grows when blobs came that were missing. */
  blobsVersion = 0
  /** A short message for people, read out too. */
  notice = ""
  /** Where the chosen branch ends; undefined as long as none was chosen and the page goes with the session. */
  #chosenLeaf: number | undefined
  #noticeTimer: ReturnType<typeof setTimeout> | undefined
  #hit = -1
  /** The address that was followed already. */
  #hashGone: string | undefined
  #context: { readonly key: string; readonly context: ModelContext } | undefined

  /** @returns a function that ends it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get session(): PageSession | undefined {
    return this.phase.kind === "shown" ? this.phase.reading.session : undefined
  }

  get theme(): Theme {
    return this.#theme.theme
  }

  get blobs(): BlobSource {
    return {
      get: async (hash) => (await this.#droppedBlobs.get(hash)) ?? this.#source?.blobs?.get(hash),
    }
  }

  /** Shows what a source gives, as it comes. */
  async open(source: SessionSource): Promise<void> {
    this.#reading.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.#source = source
    this.#reset()
    this.phase = { kind: "reading", name: source.name }
    this.#told()
    try {
      for await (const now of readSession(source, reading.signal)) {
        if (reading.signal.aborted) return
        if (this.session && this.session !== now.session) this.#reset()
        this.#show(source.name, now)
      }
    } catch (error) {
      if (reading.signal.aborted) return
      this.phase = { kind: "failed", name: source.name, message: messageOf(error) }
      this.#told()
    }
  }

  /** Takes files that somebody dropped or opened: sessions, blobs, or both. */
  async openFiles(files: readonly File[]): Promise<void> {
    const { sessions, blobs } = sortFiles(files)
    if (blobs.size > 0) {
      this.#droppedBlobs.add(blobs)
      this.blobsVersion += 1
      this.say(`${blobs.size} ${blobs.size === 1 ? "blob" : "blobs"} at hand.`)
    }
    const [only] = sessions
    if (only && sessions.length === 1) return this.open(fileSource(only))
    if (sessions.length > 1) {
      this.#reading.abort()
      this.phase = { kind: "waiting", choice: sessions }
    } else if (blobs.size === 0) this.say("There is no session among these files: its name ends in .jsonl.")
    this.#told()
  }

  say(notice: string): void {
    clearTimeout(this.#noticeTimer)
    this.#noticeTimer = setTimeout(() => this.say(""), NOTICE_MS)
    this.notice = notice
    this.#told()
  }

  setView(view: ViewName): void {
    if (view === this.view) return
    this.view = view
    if (this.current !== undefined) this.goal = { ordinal: this.current, focusFrom: undefined }
    this.#told()
  }

  setPanel(isOpen: boolean): void {
    this.isPanelOpen = isOpen
    this.#told()
  }

  setUsage(isOpen: boolean): void {
    this.isUsageOpen = isOpen
    this.#told()
  }

  setTreeFilter(filter: TreeFilter): void {
    this.treeFilter = filter
    this.#drawTree()
    this.#told()
  }

  /** Folds up a branch of the tree that begins at an entry, or unfolds it. */
  setBranchFolded(ordinal: number, isFolded: boolean): void {
    if (isFolded) this.foldedBranches.add(ordinal)
    else this.foldedBranches.delete(ordinal)
    this.#drawTree()
    this.#told()
  }

  show(dialog: Dialog | undefined): void {
    this.dialog = dialog
    this.#told()
  }

  changeTheme(): void {
    this.#theme.change()
    this.#told()
  }

  /** Opens or shuts all thinking and all tools. */
  foldAll(isOpen: boolean): void {
    this.folds.setAll(isOpen)
    this.#told()
  }

  /** Goes to an entry, on the branch that one is on if it is there, otherwise on the newest one that it is on. */
  goTo(ordinal: number, { focus = true, unfold = false, keepPanel = false } = {}): void {
    const { session } = this
    if (!session || ordinal < 0 || ordinal >= session.count) return
    if (!this.onPath.has(ordinal)) {
      this.#chosenLeaf = session.newestBelow(ordinal)
      this.#drawBranch()
    }
    if (unfold) this.folds.reveal(ordinal)
    this.current = ordinal
    this.goal = { ordinal, focusFrom: focus ? document.activeElement : undefined }
    if (!keepPanel) this.isPanelOpen = false
    this.#writeHash()
    this.#told()
  }

  /** Goes to the entry with the id. */
  goToId(id: string): boolean {
    const ordinal = this.session?.tree.ordinalOf(id)
    if (ordinal === undefined) return false
    this.goTo(ordinal, { unfold: true })
    return true
  }

  search(query: string): Promise<void> {
    this.#hit = -1
    return this.session ? this.searching.start(this.session, query) : Promise.resolve()
  }

  clearSearch(): void {
    this.searching.clear()
    this.#hit = -1
    this.#told()
  }

  /** Which of the hits one is at, from 0; -1 before the first. */
  get hit(): number {
    return this.#hit
  }

  /** Goes to the next hit, or the previous one; from the last to the first. */
  goToHit(step: number, focus = true, keepPanel = false): void {
    const { hits } = this.searching
    const from = this.#hit === -1 && step < 0 ? 0 : this.#hit
    if (hits.length > 0) this.goToHitAt((from + step + hits.length) % hits.length, focus, keepPanel)
  }

  goToHitAt(index: number, focus = true, keepPanel = false): void {
    const hit = this.searching.hits[index]
    if (!hit) return
    this.#hit = index
    this.goTo(hit.ordinal, { focus, unfold: true, keepPanel })
  }

  /** Goes to another one of the branches that begin where this entry stands. */
  goToBranch(ordinal: number, step: number): void {
    const { session } = this
    const fork = session && forkAt(session, ordinal)
    const other = fork?.branches[(fork.at + step + fork.branches.length) % fork.branches.length]
    if (other !== undefined) this.goTo(other)
  }

  /** The entry that one is at, as one scrolls. */
  setCurrent(ordinal: number): void {
    if (this.current === ordinal) return
    this.current = ordinal
    this.#told()
  }

  /** Whoever took one to a goal says so; there may be another one already. */
  reached(goal: Goal): void {
    if (this.goal === goal) this.goal = undefined
  }

  /** What the model gets at the end of the branch. */
  context(): ModelContext | undefined {
    const { session, path } = this
    if (!session) return undefined
    const key = `${session.count} ${path.at(-1)}`
    if (this.#context?.key !== key) this.#context = { key, context: modelContext(session, path) }
    return this.#context.context
  }

  #show(name: string, reading: Reading): void {
    this.phase = { kind: "shown", name, reading }
    document.title = readableLine(reading.session.title || name, 120) || "treelog"
    if (reading.state !== "gone" && reading.state !== "no-answer") {
      if (this.#chosenLeaf !== undefined) this.#chosenLeaf = reading.session.newestBelow(this.#chosenLeaf)
      this.#drawBranch()
      this.#goToHash()
    }
    this.#told()
  }

  #drawBranch(): void {
    const { session } = this
    if (!session) return
    this.path = branchPath(session, this.#chosenLeaf ?? session.leaf())
    this.onPath = new Set(this.path)
    this.rows = transcriptRows(session, this.path)
    this.usage = usagePoints(session, this.path)
    this.#drawTree()
  }

  #drawTree(): void {
    if (this.session) this.tree = treeRows(this.session, this.treeFilter, this.onPath, this.foldedBranches)
  }

  #reset(): void {
    this.#chosenLeaf = undefined
    this.#context = undefined
    this.current = undefined
    this.path = []
    this.onPath = new Set()
    this.rows = NO_ROWS
    this.tree = []
    this.usage = []
    this.foldedBranches.clear()
    this.rawEntries.clear()
    this.folds.clear()
    this.searching.clear()
  }

  /** The address names the entry that one is at, so that it can be sent to somebody. */
  #writeHash(): void {
    const id = this.current === undefined ? undefined : this.session?.summary(this.current).id
    if (id !== undefined && addressedId() !== id) history.replaceState(history.state, "", entryAddress(id))
  }

  /** Goes where the address says, once the entry came. */
  #goToHash(): void {
    const id = addressedId()
    if (id === undefined || id === this.#hashGone || this.current !== undefined) return
    if (this.goToId(id)) this.#hashGone = id
  }

  #told(): void {
    for (const listener of this.#listeners) listener()
  }
}

function messageOf(error: unknown): string {
  if (isTreelogError(error, "InvalidSessionError"))
    return `This is no session: it has ${error.data.found}. Sessions are .jsonl files whose first line is a header.`
  return error instanceof Error ? error.message : String(error)
}
