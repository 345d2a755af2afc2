import type { SessionInfo } from "@treelog/session-core"
import type { KeyPress } from "../frame/key-reader.js"
import { resizeWindow } from "../frame/list-frame.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { Batches, PromptReading } from "./prompt-reading.js"
import { isInScope, type SessionScope, type SessionView } from "./session-row.js"
import { KEYS_IN_WORDS, sessionsFrame, sessionsHeight } from "./sessions-frame.js"
import { pressKey, type SessionsTask } from "./sessions-press.js"
import {
  BROWSE,
  dropSession,
  type Progress,
  type SessionsState,
  sessionsState,
  takePrompts,
  takeSessions,
} from "./sessions-state.js"

/** The actions of the picker on the store. Their errors are shown, and the picker continues. */
export interface SessionActions {
  /** The sessions of the project, or all, as they are found. */
  list(scope: SessionScope, signal: AbortSignal): AsyncIterable<SessionInfo>
  /** What the user messages of a session say. */
  prompts(path: string, signal: AbortSignal): Promise<readonly string[]>
  /** @param name empty takes it off */
  rename(path: string, name: string): Promise<Renamed>
  /** @returns a sentence that describes what was done */
  moveToTrash(info: SessionInfo): Promise<string>
  /** A sentence about the error; undefined for an unexpected one. */
  faultOf(error: unknown): string | undefined
}

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
  readonly #prompts: PromptReading
  /** The scopes that were listed, or are being. */
  readonly #listings = new Map<SessionScope, Promise<void>>()
  #size: Size = { columns: 80, rows: 24 }

  constructor({ cwd, view, query, look, work }: SessionPickerOptions) {
    super(sessionsState(cwd, view, query))
    this.#look = look
    this.#work = work
    this.#prompts = new PromptReading(
      (path) => work.prompts(path, this.#stop.signal),
      (read, progress) => this.#become(takePrompts(this.#progressing({ prompts: progress }), read)),
    )
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
    await Promise.allSettled([...this.#listings.values(), this.#prompts.stop()])
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

  /** Lists the current scope, unless it is listed already; then reads its prompts for a query. */
  #catchUp(): void {
    if (this.hasEnded) return
    const { scope } = this.state.view
    // The list of all sessions includes those of the project.
    if (!this.#listings.has(scope) && !this.#listings.has("all")) {
      this.#become(this.#progressing({ isListing: true }))
      this.#listings.set(scope, this.#list(scope))
    }
    const { terms, rows, progress, view, cwd } = this.state
    if (terms.length === 0 || progress.isListing) return
    this.#prompts.want(rows.filter((row) => isInScope(row, view.scope, cwd) && !row.info.error))
  }

  async #list(scope: SessionScope): Promise<void> {
    const found = new Batches<SessionInfo>((infos) => this.#become(takeSessions(this.state, infos, scope)))
    try {
      for await (const info of this.#work.list(scope, this.#stop.signal)) found.add(info)
      found.flush()
      if (this.#listings.size === 1 || scope === "all") this.#become(this.#progressing({ isListing: false }))
      this.#catchUp()
    } catch (error) {
      found.flush()
      if (!this.#stop.signal.aborted) this.fail(error)
    }
  }
}
