import type { SessionInfo } from "@treelog/session-core"
import type { SaidTerms } from "../../search/sessions-saying.js"
import { Batches } from "../frame/batches.js"
import type { KeyPress } from "../frame/key-reader.js"
import { resizeWindow } from "../frame/list-frame.js"
import { LiveSearch } from "../frame/live-search.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import type { SessionScope, SessionView } from "./session-row.js"
import { KEYS_IN_WORDS, sessionsFrame, sessionsHeight } from "./sessions-frame.js"
import { pressKey, type SessionsTask } from "./sessions-press.js"
import {
  BROWSE,
  dropSession,
  type Progress,
  type SessionsState,
  sessionsState,
  takeSaid,
  takeSessions,
} from "./sessions-state.js"

/** The actions of the picker on the store. Their errors are shown, and the picker continues. */
export interface SessionActions {
  /** The sessions of the project, or all, as they are found. */
  list(scope: SessionScope, signal: AbortSignal): AsyncIterable<SessionInfo>
  /** What the index has of a query. @throws what `faultOf` has a sentence for where there is no index */
  said(request: SaidRequest): Promise<{ readonly said: SaidTerms; readonly isMore: boolean }>
  /** Brings the index up to date. @param indexed is called as it grows, and at the end with an empty text */
  index(indexed: (progress: string, unreadable: number) => void, signal: AbortSignal): Promise<void>
  /** @param name empty takes it off */
  rename(path: string, name: string): Promise<Renamed>
  /** @returns a sentence that describes what was done */
  moveToTrash(info: SessionInfo): Promise<string>
  /** A sentence about the error; undefined for an unexpected one. */
  faultOf(error: unknown): string | undefined
}

/** What the index is asked for. */
export interface SaidRequest {
  readonly terms: readonly string[]
  readonly scope: SessionScope
  /** Sessions for each term, at most. */
  readonly limit: number
}

/** Sessions that the index is asked for at first; eight times as many in each next request. */
const FIRST_SAID = 64

/** What has changed. */
export interface Renamed {
  readonly name: string | undefined
  /** Bytes. */
  readonly size: number
}

export interface SessionPickerOptions {
  readonly cwd: string
  readonly view: SessionView
  readonly query: string
  readonly look: PickerDisplay
  readonly work: SessionActions
}

/** Browses sessions: rows stream in, and whatever is there can be used. */
export class SessionPicker extends Picker<SessionsState, SessionInfo> {
  readonly #look: PickerDisplay
  readonly #work: SessionActions
  readonly #stop = new AbortController()
  readonly #search: LiveSearch<SaidRequest, void>
  #wanted: SaidRequest | undefined
  #indexing: Promise<void> | undefined
  /** The scopes that were listed, or are being. */
  readonly #listings = new Map<SessionScope, Promise<void>>()
  #size: Size = { columns: 80, rows: 24 }

  constructor({ cwd, view, query, look, work }: SessionPickerOptions) {
    super(sessionsState(cwd, view, query))
    this.#look = look
    this.#work = work
    this.#search = new LiveSearch((request) => this.#searchFor(request))
    this.#catchUp()
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    const { mode, query } = this.state
    return mode.kind === "browse" && query.text === ""
  }

  frame(size: Size): Frame {
    return sessionsFrame(this.state, this.#look, size)
  }

  press(key: KeyPress): void {
    if (this.hasEnded) return
    const { state, task } = pressKey(this.state, key)
    this.#become(state)
    if (task) this.#carryOut(task)
    this.#catchUp()
  }

  resize(size: Size): void {
    this.#size = size
    this.#become(this.state)
  }

  /** Ends the work in the background. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.allSettled([...this.#listings.values(), this.#indexing])
  }

  #become(state: SessionsState): void {
    const height = sessionsHeight(state, this.#size.rows)
    const { window, shown } = state
    this.change(height === window.height ? state : { ...state, window: resizeWindow(window, height, shown.length) })
  }

  #progressing(change: Partial<Progress>): SessionsState {
    return { ...this.state, progress: { ...this.state.progress, ...change } }
  }

  #carryOut(task: SessionsTask): void {
    const info = task.kind === "leave" ? undefined : this.state.rows.find((row) => row.info.path === task.path)?.info
    if (task.kind === "leave" || task.kind === "pick") this.end(info)
    else if (info) this.#do(task.kind === "rename" ? this.#rename(info, task.name) : this.#delete(info))
  }

  #do(work: Promise<void>): void {
    work.catch((error) => this.#report(error))
  }

  async #rename(info: SessionInfo, asked: string): Promise<void> {
    const { name, size } = await this.#work.rename(info.path, asked)
    const { name: _, ...rest } = info
    const state = takeSessions(this.state, [{ ...rest, size, ...(name !== undefined && { name }) }], "all")
    this.#become({ ...state, mode: BROWSE, notice: name === undefined ? "Name removed." : "Name saved." })
  }

  async #delete(info: SessionInfo): Promise<void> {
    const notice = await this.#work.moveToTrash(info)
    this.#become({ ...dropSession(this.state, info.path), mode: BROWSE, notice })
  }

  #report(error: unknown): void {
    const notice = this.#work.faultOf(error)
    if (notice === undefined) this.fail(error)
    else this.#become({ ...this.state, mode: BROWSE, notice })
  }

  /** Lists the current scope, unless it is listed already; then asks the index for a query. */
  #catchUp(): void {
    if (this.hasEnded) return
    const { scope } = this.state.view
    // The list of all sessions includes those of the project.
    if (!this.#listings.has(scope) && !this.#listings.has("all")) {
      this.#become(this.#progressing({ isListing: true }))
      this.#listings.set(scope, this.#list(scope))
    }
    const { terms, progress } = this.state
    if (terms.length === 0 || progress.unindexed !== undefined) {
      this.#wanted = undefined
      if (progress.isSearching) this.#become(this.#progressing({ isSearching: false }))
      return
    }
    this.#indexing ??= this.#index()
    const { terms: asked, scope: askedScope } = this.#wanted ?? {}
    if (asked?.join("\0") !== terms.join("\0") || askedScope !== scope) this.#ask({ terms, scope, limit: FIRST_SAID })
  }

  #ask(request: SaidRequest): void {
    this.#wanted = request
    this.#become(this.#progressing({ isSearching: true }))
    this.#search.ask(request, () => {}).catch((error) => this.#unindexed(error))
  }

  async #searchFor(request: SaidRequest): Promise<void> {
    const { said, isMore } = await this.#work.said(request)
    if (this.hasEnded || this.#wanted?.terms !== request.terms || this.#wanted.scope !== request.scope) return
    const isLast = this.#wanted === request
    this.#become(takeSaid(this.#progressing({ isSearching: isMore || !isLast }), said))
    if (isMore && isLast) this.#ask({ ...request, limit: 8 * request.limit })
  }

  async #index(): Promise<void> {
    try {
      await this.#work.index((indexing, unreadable) => {
        this.#become(this.#progressing({ indexing, unreadable }))
        if (this.#wanted) this.#ask({ ...this.#wanted })
      }, this.#stop.signal)
    } catch (error) {
      this.#unindexed(error)
    }
  }

  /** Where the index cannot be used, names, first messages and ids are searched. */
  #unindexed(error: unknown): void {
    const unindexed = this.#work.faultOf(error)
    if (unindexed === undefined) this.fail(error)
    else this.#become(this.#progressing({ unindexed, isSearching: false, indexing: "" }))
  }

  async #list(scope: SessionScope): Promise<void> {
    const found = new Batches<SessionInfo>((infos) => this.#become(takeSessions(this.state, infos, scope)))
    try {
      for await (const info of this.#work.list(scope, this.#stop.signal)) found.add(info)
      found.flush()
      if (this.#listings.size === 1 || scope === "all") this.#become(this.#progressing({ isListing: false }))
    } catch (error) {
      found.flush()
      if (!this.#stop.signal.aborted) this.fail(error)
    }
  }
}
