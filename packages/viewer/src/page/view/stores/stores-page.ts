import { isTreelogError } from "@treelog/session-core"
import { type FilterValues, filterValues } from "@treelog/session-core/search"
import { askJson } from "../../source/ask-routes.js"
import { pause } from "../../source/pause.js"
import type { FoundHits, SessionsLink, UsageSums } from "../../source/sessions-client.js"
import { type Asked, askSessions, NOT_ASKED } from "../../stores/ask-sessions.js"
import { followSessions } from "../../stores/follow-sessions.js"
import type { ListedSession } from "../../stores/listed-session.js"
import {
  type AddressBar,
  type FilterName,
  type PageAddress,
  pageAddressBar,
  readAddress,
  type Section,
  writeAddress,
} from "../../stores/page-address.js"
import { type Project, SessionList } from "../../stores/session-list.js"
import { readableLine } from "../../text/readable-text.js"
import { keepList } from "../controls/list-steps.js"
import { ChangingState } from "../state/use-changes.js"

export const MOST_HITS = 500
/** The list is drawn at most this often. Milliseconds. */
const DRAW_EVERY = 100
/** A search or a filter starts this time after the last keystroke. Milliseconds. */
const TYPING = 200
/** Time between two questions for sums that are shown. Milliseconds. */
const SUM_AGAIN = 30_000

export interface UsageAnswer extends Pick<UsageSums, "updating" | "faults"> {
  readonly chosen: UsageSums
  readonly days: UsageSums
  readonly year: UsageSums
  readonly sessions: UsageSums
  readonly models: UsageSums
  /** Summaries of compactions and of abandoned branches, at most `MOST_HITS`. */
  readonly summaries: FoundHits
}

export interface ShownList {
  readonly sessions: readonly ListedSession[]
  readonly projects: readonly Project[]
  /** Why the filter is none. */
  readonly fault: string | undefined
}

/** A session that is opened, or one of its entries. */
export interface OpenedSession {
  readonly store: string
  readonly id: string
  readonly entryId?: string | undefined
}

/** Called when a session of a list is opened. @param hrefs of the list, in its order. @param at its place among them */
export type Opened = (
  hrefs: readonly (string | undefined)[],
  at: number,
  what: OpenedSession,
  event: MouseEvent,
) => void

export class StoresPage extends ChangingState {
  readonly link: SessionsLink
  list = new SessionList()
  readonly bar: AddressBar
  readonly opened: Opened
  readonly #closing = new AbortController()
  /** Why sessions cannot be listed. */
  faults: readonly string[] = []
  /** Whether all sessions were listed. */
  isComplete = false
  #listing = new AbortController()
  /** What the server leaves out of the list. */
  #listed = ""
  #asking = new AbortController()
  #typing: ReturnType<typeof setTimeout> | undefined
  #drawing: ReturnType<typeof setTimeout> | undefined
  address: PageAddress
  /** On narrow screens the projects cover the page, and are closed at first. */
  isPanelOpen = false
  shown: ShownList = { sessions: [], projects: [], fault: undefined }
  hits: Asked<FoundHits> = NOT_ASKED
  usage: Asked<UsageAnswer> = NOT_ASKED

  constructor(link: SessionsLink, bar: AddressBar = pageAddressBar, opened: Opened = keepList) {
    super()
    this.link = link
    this.bar = bar
    this.opened = opened
    this.address = readAddress(bar.read())
  }

  /** Lists the stores, and follows them and the address. */
  start(): void {
    const stop = this.bar.listen(() => this.#follow(readAddress(this.bar.read())))
    this.#closing.signal.addEventListener("abort", stop)
    this.#list()
    this.#ask()
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort()
    this.#listing.abort()
    this.#asking.abort()
    clearTimeout(this.#typing)
    clearTimeout(this.#drawing)
    this.forgetListeners()
  }

  /** The agents of the stores and of their sessions, and the one that is chosen. */
  get agents(): readonly string[] {
    const { agent } = this.address.filters
    const agents = new Set([...this.link.stores.map((store) => store.agent), ...this.list.agents(), agent])
    return [...agents].flatMap((one) => one || []).sort()
  }

  setPanel(isOpen: boolean): void {
    this.isPanelOpen = isOpen
    this.notify()
  }

  /** The address of a section with these filters. Those that are not named stay, but for the text of another section. */
  addressOf(section: Section, changes: Partial<Record<FilterName, string | undefined>> = {}): string {
    return writeAddress(this.#changed(section, changes))
  }

  /** Sets filters of the shown section, as a new entry of the browser's history. */
  setFilters(changes: Partial<Record<FilterName, string | undefined>>): void {
    const address = this.#changed(this.address.section, changes)
    this.bar.push(writeAddress(address))
    this.isPanelOpen = false
    this.#follow(address)
  }

  /** Sets the text of the shown section as it is typed, without an entry of the browser's history. */
  type(q: string): void {
    this.address = this.#changed(this.address.section, { q })
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => {
      this.bar.replace(writeAddress(this.address))
      this.#follow(this.address)
    }, TYPING)
    this.notify()
  }

  #changed(section: Section, changes: Partial<Record<FilterName, string | undefined>>): PageAddress {
    const { q, ...kept } = this.address.filters
    const filters = { ...kept, ...(q !== undefined && section === this.address.section && { q }) }
    return readAddress(writeAddress({ section, filters: { ...filters, ...changes } }))
  }

  /** Whether the server leaves sessions out of the list. */
  get isNarrow(): boolean {
    return this.#listed !== "{}"
  }

  /** Lists the sessions, unless they are listed already, with what the page cannot filter itself. */
  #list(): void {
    const { agent: _, ...filters } = this.#filters
    if (this.#listed === JSON.stringify(filters)) return
    this.#listed = JSON.stringify(filters)
    this.#listing.abort()
    this.#listing = new AbortController()
    this.list = new SessionList()
    this.isComplete = false
    const following = {
      list: this.list,
      changed: (faults = this.faults) => {
        this.faults = faults
        this.#draw()
      },
      complete: () => {
        this.isComplete = true
        this.#draw()
      },
    }
    followSessions(this.link, filters, following, this.#listing.signal)
  }

  /** The filters of all sections; a project is one of those on the page, and no text. */
  get #filters(): FilterValues {
    const { project: _, ...filters } = filterValues((name) => this.address.filters[name])
    return filters
  }

  #follow(address: PageAddress): void {
    this.address = address
    this.#list()
    this.#filter()
    this.#ask()
    this.notify()
  }

  #draw(): void {
    this.#drawing ??= setTimeout(
      () => {
        this.#drawing = undefined
        this.#filter()
        this.notify()
      },
      this.shown.sessions.length === 0 ? 0 : DRAW_EVERY,
    )
  }

  #filter(): void {
    const { q, project, agent, store, since } = this.address.filters
    const chosen = { project, agent, store, since }
    const filter = this.address.section === "sessions" ? { q, ...chosen } : chosen
    try {
      const sessions = this.list.filtered(filter, Date.now())
      const { projects } = this.shown
      this.shown = {
        sessions,
        projects: projects.length > 0 ? this.#projects(projects) : this.list.projects(),
        fault: undefined,
      }
    } catch (error) {
      if (!isTreelogError(error, "InvalidArgumentError")) throw error
      this.shown = { ...this.shown, sessions: [], fault: readableLine(error.message, 400) }
    }
  }

  /** Returns `known` while nothing has changed, so that nothing is laid out again. */
  #projects(known: readonly Project[]): readonly Project[] {
    const now = this.list.projects()
    const isSame =
      now.length === known.length &&
      now.every(({ cwd, count }, at) => known[at]?.cwd === cwd && known[at]?.count === count)
    return isSame ? known : now
  }

  #ask(): void {
    this.#asking.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const { section } = this.address
    if (section === "search") this.#search(signal)
    else if (section === "usage") this.#sum(signal)
  }

  async #search(signal: AbortSignal): Promise<void> {
    const { q = "", project: cwd, store, since } = this.address.filters
    const asked = { ...this.#filters, q, cwd, store, since, limit: String(MOST_HITS) }
    this.hits = q.trim() === "" ? NOT_ASKED : { ...NOT_ASKED, isAsking: true }
    if (q.trim() === "") return
    await askSessions(
      () => askJson<FoundHits>(this.link.ask, "search", asked, signal),
      (hits) => {
        this.hits = hits
        this.notify()
      },
      signal,
    )
  }

  async #sum(signal: AbortSignal): Promise<void> {
    const { by = "day", stack = "model", project: cwd, store, since } = this.address.filters
    const asked = { ...this.#filters, cwd, store, since }
    const { ask } = this.link
    this.usage = { ...this.usage, isAsking: true }
    const sums = (name: string, more = {}): Promise<UsageSums> =>
      askJson(ask, "usage", { by: name, ...asked, ...more }, signal)
    const question = async (): Promise<UsageAnswer> => {
      const [chosen, days, year, sessions, models, summaries] = await Promise.all([
        sums(by),
        sums("day", { per: stack }),
        sums("day", { since: "1y" }),
        sums("session"),
        sums("model", { model: undefined }),
        askJson<FoundHits>(ask, "search", { ...asked, q: "role:summary", limit: String(MOST_HITS) }, signal),
      ])
      const { updating, faults = [] } = chosen
      return { chosen, days, year, sessions, models, summaries, updating, faults }
    }
    while (!signal.aborted) {
      // Asked again, the sums stay until there are others.
      const known = this.usage.answer
      const publish = (usage: Asked<UsageAnswer>): void => {
        this.usage = { ...usage, answer: usage.answer ?? known }
        this.notify()
      }
      await askSessions(question, publish, signal)
      await pause(SUM_AGAIN, signal)
    }
  }
}
