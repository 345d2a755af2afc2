// The state of the page and its actions. Views render it, and are notified of each change.

import { forkAt } from "../session/branch-path.js"
import type { PageSession } from "../session/page-session.js"
import { type Reading, readSession } from "../session/read-session.js"
import { ShownBranch } from "../session/shown-branch.js"
import type { TreeFilter } from "../session/tree-rows.js"
import { sortFiles } from "../source/dropped-files.js"
import { FileBlobs } from "../source/file-blobs.js"
import { fileSource } from "../source/file-source.js"
import type { BlobSource, SessionSource } from "../source/session-source.js"
import { readableLine } from "../text/readable-text.js"
import { addressedId, entryAddress } from "./entry-address.js"
import { Folds } from "./folds.js"
import { failureText, type Phase } from "./phase.js"
import { Searching } from "./searching.js"
import { Seen } from "./seen.js"
import { type Theme, ThemeChoice } from "./theme-choice.js"

export type ViewName = "transcript" | "context"

export type Dialog = { readonly kind: "picture"; readonly url: string } | { readonly kind: "help" }

/** The entry to scroll to. */
export interface Goal {
  readonly ordinal: number
  /** The element that had the focus when the goal was set: the goal gets the focus only if it has not moved since. Undefined: it never does. */
  readonly focusFrom: Element | null | undefined
  /** Whether to show the first match in the entry. */
  readonly isHit: boolean
}

export interface GoingOptions {
  readonly focus?: boolean
  /** Whether to expand all parts of the entry. */
  readonly unfold?: boolean
  readonly keepPanel?: boolean
  /** Whether the search leads there. */
  readonly isHit?: boolean
}

/** How long a notice is shown. Milliseconds. */
const NOTICE_MS = 6_000

/** A shorter branch is read faster than its plot. */
const LEAST_POINTS = 8

export class Viewer {
  readonly branch = new ShownBranch()
  readonly folds = new Folds()
  readonly searching = new Searching(() => this.#notify())
  readonly seen = new Seen()
  readonly #theme = new ThemeChoice()
  readonly #droppedBlobs = new FileBlobs()
  readonly #listeners = new Set<() => void>()
  #reading = new AbortController()
  #source: SessionSource | undefined
  phase: Phase = { kind: "waiting", choice: [] }
  view: ViewName = "transcript"
  /** On narrow screens the side panel covers the page, and is closed at first. */
  isPanelOpen = false
  #isUsageWanted: boolean | undefined
  dialog: Dialog | undefined
  /** Entries that are shown as JSON. */
  readonly rawEntries = new Set<number>()
  /** The current entry. */
  current: number | undefined
  goal: Goal | undefined
  /** The entry of the current hit, if its text is in a part of the entry that the page does not show. */
  unseenHit: number | undefined
  /** Increases when missing blobs were added. */
  blobsVersion = 0
  /** A short message, also for screen readers. */
  notice = ""
  #noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** The last URL fragment that was followed. */
  #hashGone: string | undefined

  /** @returns a function that removes the listener */
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

  /** Opens a source and shows its session while it is read. */
  async open(source: SessionSource): Promise<void> {
    this.#reading.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.#source = source
    this.#reset()
    const name = readableLine(source.name, 160)
    this.phase = { kind: "reading", name }
    this.#notify()
    try {
      for await (const now of readSession(source, reading.signal)) {
        if (reading.signal.aborted) return
        if (this.session && this.session !== now.session) this.#reset()
        this.#show(name, now)
      }
    } catch (error) {
      if (reading.signal.aborted) return
      this.phase = { kind: "failed", name, message: failureText(error) }
      this.#notify()
    }
  }

  /** Opens files: sessions, blobs, or both. */
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
    } else if (blobs.size === 0) this.say("None of these files is a session: the names of sessions end in .jsonl.")
    this.#notify()
  }

  say(notice: string): void {
    clearTimeout(this.#noticeTimer)
    this.#noticeTimer = setTimeout(() => this.say(""), NOTICE_MS)
    this.notice = notice
    this.#notify()
  }

  setView(view: ViewName): void {
    if (view === this.view) return
    this.view = view
    if (this.current !== undefined) this.goal = { ordinal: this.current, focusFrom: undefined, isHit: false }
    this.#notify()
  }

  setPanel(isOpen: boolean): void {
    this.isPanelOpen = isOpen
    this.#notify()
  }

  /** Whether the plot is shown: as the user chose, or else if the branch is long and the window large. */
  get isUsageOpen(): boolean {
    const { innerWidth, innerHeight } = window
    return this.#isUsageWanted ?? (this.branch.usage.length >= LEAST_POINTS && innerWidth > 860 && innerHeight > 620)
  }

  setUsage(isOpen: boolean): void {
    this.#isUsageWanted = isOpen
    this.#notify()
  }

  setTreeFilter(filter: TreeFilter): void {
    this.branch.setFilter(filter)
    this.#notify()
  }

  setBranchFolded(ordinal: number, isFolded: boolean): void {
    this.branch.setFolded(ordinal, isFolded)
    this.#notify()
  }

  show(dialog: Dialog | undefined): void {
    this.dialog = dialog
    this.#notify()
  }

  changeTheme(): void {
    this.#theme.change()
    this.#notify()
  }

  /** Expands or collapses all thinking and tools. */
  foldAll(isOpen: boolean): void {
    this.folds.setAll(isOpen)
    this.#notify()
  }

  /** Goes to an entry: on the shown branch if it contains the entry, otherwise on the newest branch that does. */
  goTo(ordinal: number, { focus = true, unfold = false, keepPanel = false, isHit = false }: GoingOptions = {}): void {
    if (!this.session || ordinal < 0 || ordinal >= this.session.count) return
    this.branch.choose(ordinal)
    if (unfold) this.folds.reveal(ordinal)
    this.current = ordinal
    this.goal = { ordinal, focusFrom: focus ? document.activeElement : undefined, isHit }
    this.unseenHit = undefined
    if (!keepPanel) this.isPanelOpen = false
    this.#writeHash()
    this.#notify()
  }

  /** Goes to the entry with the id. */
  goToId(id: string): boolean {
    const ordinal = this.session?.tree.ordinalOf(id)
    if (ordinal === undefined) return false
    this.goTo(ordinal, { unfold: true })
    return true
  }

  search(query: string): Promise<void> {
    return this.session ? this.searching.start(this.session, query, this.#source?.search) : Promise.resolve()
  }

  clearSearch(): void {
    this.searching.clear()
    this.unseenHit = undefined
    this.#notify()
  }

  /** Goes to the next or previous hit, wrapping around. */
  goToHit(step: number, focus = true, keepPanel = false): void {
    this.goToHitAt(this.searching.beside(step), focus, keepPanel)
  }

  goToHitAt(index: number, focus = true, keepPanel = false): void {
    const hit = this.searching.hits[index]
    if (hit === undefined) return
    this.searching.at = index
    if (this.view === "context" && !this.branch.context()?.messages.some(({ ordinal }) => ordinal === hit))
      this.view = "transcript"
    this.goTo(hit, { focus, unfold: true, keepPanel, isHit: true })
  }

  /** Goes to a sibling of the entry, on another branch. */
  goToBranch(ordinal: number, step: number): void {
    const fork = this.session && forkAt(this.session, ordinal)
    const other = fork?.branches[(fork.at + step + fork.branches.length) % fork.branches.length]
    if (other !== undefined) this.goTo(other)
  }

  /** Sets the current entry while scrolling. */
  setCurrent(ordinal: number): void {
    if (this.current === ordinal) return
    this.current = ordinal
    this.#notify()
  }

  showUnseen(ordinal: number): void {
    this.unseenHit = ordinal
    this.#notify()
  }

  /** Called when a goal was reached; there may be a new one already. */
  reached(goal: Goal): void {
    if (this.goal === goal) this.goal = undefined
  }

  #show(name: string, reading: Reading): void {
    const wasComing = this.phase.kind === "shown" && this.phase.reading.state === "coming"
    this.phase = { kind: "shown", name, reading }
    document.title = readableLine(reading.session.title || name, 120) || "treelog"
    if (reading.state !== "gone" && reading.state !== "no-answer") {
      this.branch.show(reading.session)
      this.#goToHash()
    }
    this.#notify()
    // What came later can be found, too.
    if (wasComing && reading.state !== "coming" && this.searching.isOn) this.search(this.searching.text)
  }

  #reset(): void {
    this.branch.clear()
    this.current = undefined
    this.rawEntries.clear()
    this.folds.clear()
    this.searching.clear()
    this.unseenHit = undefined
  }

  /** Writes the current entry to the URL, so that it can be shared. */
  #writeHash(): void {
    const id = this.current === undefined ? undefined : this.session?.summary(this.current).id
    if (id !== undefined && addressedId() !== id) history.replaceState(history.state, "", entryAddress(id))
  }

  /** Goes to the entry in the URL, once it was read. */
  #goToHash(): void {
    const id = addressedId()
    if (id === undefined || id === this.#hashGone || this.current !== undefined) return
    if (this.goToId(id)) this.#hashGone = id
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
