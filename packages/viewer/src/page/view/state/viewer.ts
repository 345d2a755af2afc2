// The state of the page and its actions. Views render it, and are notified of each change.

import { isTreelogError } from "@treelog/session-core"
import type { TreeFilter } from "@treelog-internal/text"
import type { AgentTranscript } from "../../../wire.js"
import { forkAt } from "../../session/branch-path.js"
import { CallPrices } from "../../session/call-prices.js"
import { PageSession } from "../../session/page-session.js"
import { type Reading, readSession } from "../../session/read-session.js"
import { ShownBranch } from "../../session/shown-branch.js"
import { FileBlobs, fileSource, sortFiles } from "../../source/dropped-files.js"
import type { BlobSource, SessionSource } from "../../source/session-source.js"
import { readableLine } from "../../text/readable-text.js"
import { AgentList } from "./agent-list.js"
import type { HostPage } from "./entry-address.js"
import { Folds } from "./folds.js"
import { Searching } from "./searching.js"
import { ShownAddress } from "./shown-address.js"
import { ChangingState } from "./use-changes.js"

export type ViewName = "transcript" | "context"

export type Dialog =
  | { readonly kind: "picture"; readonly url: string }
  | { readonly kind: "help" }
  | { readonly kind: "share" }

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

type Around = Pick<Viewer, "isPanelOpen" | "isUsageWanted" | "dialog" | "searchTyped" | "unseenHit">

/** How long a notice is shown. Milliseconds. */
const NOTICE_MS = 6_000

/** A shorter branch is read faster than its plot. */
const LEAST_POINTS = 8

export class Viewer extends ChangingState {
  /** Of an empty session, until one is shown. */
  branch = new ShownBranch(new PageSession(""))
  folds = new Folds()
  searching = new Searching()
  /** The text in the field; its search may not have started yet. */
  searchTyped = ""
  readonly seen = new Seen()
  readonly address = new ShownAddress(this)
  readonly host: HostPage
  readonly #droppedBlobs = new FileBlobs()
  #agentList = new AgentList()
  prices = new CallPrices(undefined, () => {})
  #reading = new AbortController()
  #source: SessionSource | undefined
  phase: Phase = { kind: "waiting", choice: [] }
  view: ViewName = "transcript"
  /** On narrow screens the side panel covers the page, and is closed at first. */
  isPanelOpen = false
  isUsageWanted: boolean | undefined
  #isUsageFitting = false
  dialog: Dialog | undefined
  /** Entries that are shown as JSON. */
  readonly rawEntries = new Set<number>()
  current: number | undefined
  goal: Goal | undefined
  /** The entry of the current hit, if its text is in a part of the entry that the page does not show. */
  unseenHit: number | undefined
  /** Increases when missing blobs were added. */
  blobsVersion = 0
  /** A short message, also for screen readers. */
  notice = ""
  #noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** The end of a branch that waits for another one to be shown beside it. */
  #besideWaits: number | undefined

  constructor(host: HostPage) {
    super()
    this.host = host
  }

  get session(): PageSession | undefined {
    return this.phase.kind === "shown" ? this.phase.reading.session : undefined
  }

  get blobs(): BlobSource {
    return {
      get: async (hash) => (await this.#droppedBlobs.get(hash)) ?? this.#source?.blobs?.get(hash),
    }
  }

  /** Undefined where the source makes no file for others. */
  get sharing(): SessionSource["sharing"] {
    return this.#source?.sharing
  }

  /** The transcripts of sub-agents; undefined where the source has none. */
  get agents(): SessionSource["agents"] {
    return this.#source?.agents
  }

  /** The transcripts of sub-agents so far. @param isRunning whether the call that may begin one still runs */
  async listAgents(isRunning: boolean): Promise<readonly AgentTranscript[]> {
    const { agents, session } = this
    return agents && session ? this.#agentList.get(agents, session.count, isRunning) : []
  }

  /** Whether the session is live: more may be appended. */
  get isFollowed(): boolean {
    return this.phase.kind === "shown" && this.phase.reading.state === "followed"
  }

  /** Shows the transcript of a sub-agent. @param from the entry that began it, to which closing leads back */
  openAgent(id: string, from: number): void {
    this.current = from
    this.address.write()
    this.host.openAgent?.(id)
  }

  async open(source: SessionSource): Promise<void> {
    this.#reading.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.#source = source
    this.prices = new CallPrices(source.rates, () => this.notify())
    this.#reset()
    const name = readableLine(source.name, 160)
    this.phase = { kind: "reading", name }
    this.notify()
    try {
      for await (const now of readSession(source, reading.signal)) {
        if (reading.signal.aborted) return
        if (this.session && this.session !== now.session) this.#reset()
        this.#show(name, now)
      }
    } catch (error) {
      if (reading.signal.aborted) return
      this.phase = { kind: "failed", name, message: failureText(error) }
      this.notify()
    }
  }

  close(): void {
    this.#reading.abort()
    this.searching.stop()
    clearTimeout(this.#noticeTimer)
    this.forgetListeners()
  }

  /** Opens files: sessions, blobs, or both. */
  async openFiles(files: readonly File[]): Promise<void> {
    const { sessions, blobs } = sortFiles(files)
    if (blobs.size > 0) {
      this.#droppedBlobs.add(blobs)
      this.blobsVersion += 1
      this.say(`${blobs.size} ${blobs.size === 1 ? "blob" : "blobs"} added.`)
    }
    const [only] = sessions
    if (only && sessions.length === 1) return this.open(fileSource(only))
    if (sessions.length > 1) {
      this.#reading.abort()
      this.phase = { kind: "waiting", choice: sessions }
    } else if (blobs.size === 0) this.say("None of these files is a session: the names of sessions end in .jsonl.")
    this.notify()
  }

  say(notice: string): void {
    clearTimeout(this.#noticeTimer)
    this.#noticeTimer = setTimeout(() => this.say(""), NOTICE_MS)
    this.notice = notice
    this.notify()
  }

  setView(view: ViewName): void {
    if (view === this.view) return
    this.view = view
    if (this.current !== undefined) this.goal = { ordinal: this.current, focusFrom: undefined, isHit: false }
    this.notify()
  }

  /** Changes what is shown around the branch. */
  update(changes: Partial<Around>): void {
    Object.assign(this, changes)
    this.notify()
  }

  /**
   * Whether the plot is shown: as the user chose, or else if the branch was long and the window large when the session was first shown. Later
   * it would move what is read.
   */
  get isUsageOpen(): boolean {
    return this.isUsageWanted ?? this.#isUsageFitting
  }

  setTreeFilter(filter: TreeFilter): void {
    this.branch.setFilter(filter)
    this.notify()
  }

  setBranchFolded(ordinal: number, isFolded: boolean): void {
    this.branch.setFolded(ordinal, isFolded)
    this.notify()
  }

  /** Expands or collapses all thinking and tools. */
  foldAll(isOpen: boolean): void {
    this.folds.setAll(isOpen)
    this.notify()
  }

  /** Goes to an entry: on the shown branch if it contains the entry, otherwise on the newest branch that does. */
  goTo(ordinal: number, { focus = true, unfold = false, keepPanel = false, isHit = false }: GoingOptions = {}): void {
    if (!this.session || ordinal < 0 || ordinal >= this.session.count) return
    const before = this.branch.leaf
    this.branch.choose(ordinal)
    if (this.#besideWaits !== undefined && this.branch.leaf !== before) this.#showWaiting()
    if (unfold) this.folds.reveal(ordinal)
    this.current = ordinal
    this.goal = { ordinal, focusFrom: focus ? document.activeElement : undefined, isHit }
    this.unseenHit = undefined
    if (!keepPanel) this.isPanelOpen = false
    this.address.write()
    this.notify()
  }

  /** Goes to the entry with the id. */
  goToId(id: string): boolean {
    const ordinal = this.session?.tree.ordinalOf(id)
    if (ordinal === undefined) return false
    this.goTo(ordinal, { unfold: true })
    return true
  }

  /** Shows the branch of an entry beside the chosen one; undefined shows one branch again. */
  setBeside(ordinal: number | undefined): void {
    this.#besideWaits = undefined
    if (ordinal !== undefined && !this.branch.setBeside(ordinal)) this.say("This entry is on the branch that is shown.")
    else if (ordinal === undefined) this.branch.setBeside(undefined)
    if (this.branch.beside) this.view = "transcript"
    if (this.current !== undefined) this.goal = { ordinal: this.current, focusFrom: undefined, isHit: false }
    this.address.write()
    this.notify()
  }

  /** Exchanges the two branches that are side by side. */
  swapBeside(): void {
    const { beside, leaf } = this.branch
    if (!beside || leaf === undefined) return
    this.branch.setBeside(undefined)
    this.branch.choose(beside.leaf)
    this.setBeside(leaf)
  }

  /** Keeps the chosen branch, and shows it beside the one that is chosen next. */
  awaitBeside(): void {
    this.#besideWaits = this.branch.leaf
    this.say("Choose another branch in the tree: both are shown side by side.")
  }

  get isBesideAwaited(): boolean {
    return this.#besideWaits !== undefined
  }

  #showWaiting(): void {
    this.branch.setBeside(this.#besideWaits)
    if (!this.branch.beside) return
    this.#besideWaits = undefined
    this.view = "transcript"
    this.say("")
  }

  search(text: string): void {
    if (!this.session) return
    this.searching.stop()
    this.searching = new Searching(text)
    this.notify()
    this.searching.run(this.session, () => this.notify())
  }

  clearSearch(): void {
    this.#forgetSearch()
    this.notify()
  }

  #forgetSearch(): void {
    this.searching.stop()
    this.searching = new Searching()
    this.searchTyped = ""
    this.unseenHit = undefined
  }

  /** Goes to the next or previous hit, wrapping around. */
  goToHit(step: number, focus = true, keepPanel = false): void {
    this.goToHitAt(this.searching.beside(step), focus, keepPanel)
  }

  goToHitAt(index: number, focus = true, keepPanel = false): void {
    const hit = this.searching.hits[index]
    if (hit === undefined) return
    this.searching.at = index
    if (this.view === "context" && !this.branch.context().messages.some(({ ordinal }) => ordinal === hit))
      this.view = "transcript"
    this.goTo(hit, { focus, unfold: true, keepPanel, isHit: true })
  }

  /** Goes to a sibling of the entry, on another branch. */
  goToBranch(ordinal: number, step: number): void {
    const fork = this.session && forkAt(this.session, ordinal)
    const other = fork?.branches[(fork.at + step + fork.branches.length) % fork.branches.length]
    if (other !== undefined) this.goTo(other)
  }

  setCurrent(ordinal: number): void {
    if (this.current === ordinal) return
    this.current = ordinal
    this.notify()
  }

  /** Called when a goal was reached; there may be a new one already. */
  reached(goal: Goal): void {
    if (this.goal === goal) this.goal = undefined
  }

  /** Returns to where it was, after another view was shown. */
  showAgain(): void {
    const ordinal = this.current ?? this.seen.first
    if (ordinal !== undefined) this.goal = { ordinal, focusFrom: document.activeElement, isHit: false }
    if (this.session) this.host.setTitle(this.#titleOf(this.session))
    this.notify()
  }

  #titleOf(session: PageSession): string {
    const name = this.phase.kind === "shown" ? this.phase.name : ""
    return readableLine(session.title || name, 120) || "treelog"
  }

  #show(name: string, reading: Reading): void {
    const isFirst = this.phase.kind !== "shown"
    const wasComing = this.phase.kind === "shown" && this.phase.reading.state === "coming"
    this.phase = { kind: "shown", name, reading }
    this.host.setTitle(this.#titleOf(reading.session))
    if (reading.state !== "gone" && reading.state !== "no-answer") {
      if (reading.session === this.branch.session) this.branch.grow()
      else this.branch = new ShownBranch(reading.session, this.branch.filter)
      this.address.followOnce(reading.state !== "coming")
    }
    if (isFirst)
      this.#isUsageFitting =
        this.branch.usage.length >= LEAST_POINTS && window.innerWidth > 860 && window.innerHeight > 620
    this.notify()
    // What came later can be found, too.
    if (wasComing && reading.state !== "coming" && this.searching.isOn) this.search(this.searching.text)
  }

  #reset(): void {
    this.branch = new ShownBranch(new PageSession(""), this.branch.filter)
    this.#besideWaits = undefined
    this.#agentList = new AgentList()
    this.current = undefined
    this.rawEntries.clear()
    this.folds = new Folds()
    this.#forgetSearch()
  }
}

/** The visible part of the branch. It changes with every scroll, so that only listeners are notified, not the whole page. */
class Seen extends ChangingState {
  first: number | undefined
  last: number | undefined

  set(first: number | undefined, last: number | undefined): void {
    if (first === this.first && last === this.last) return
    this.first = first
    this.last = last
    this.notify()
  }
}

/** The state of the page. Names and messages are safe to display. */
type Phase =
  | { readonly kind: "waiting"; readonly choice: readonly File[] }
  | { readonly kind: "reading"; readonly name: string }
  | { readonly kind: "shown"; readonly name: string; readonly reading: Reading }
  | { readonly kind: "failed"; readonly name: string; readonly message: string }

/** The message for a session that cannot be shown. */
export function failureText(error: unknown): string {
  if (isTreelogError(error, "InvalidSessionError"))
    return `This is not a session: it has ${error.data.found}. Sessions are .jsonl files whose first line is a header.`
  return readableLine(error instanceof Error ? error.message : error, 600)
}
