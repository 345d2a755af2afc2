import { isTreelogError } from "@treelog/session-core"
import { listedSession } from "@treelog/session-core/adapter"
import { type FilterValues, type IndexedSession, plainTerms, sessionTitle } from "@treelog/session-core/search"
import type { ProjectFolders } from "@treelog/stores"
import type { HowToResume } from "../../agents/resumed.js"
import { knownErrorMessage } from "../../errors/error-report.js"
import { UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import type { PromptSource } from "../../search/prompt-sources.js"
import { keepIndexing } from "../../search/refresh-index.js"
import type { SearchFilters } from "../../search/search-query.js"
import { NOTHING_SAID, sessionsSaying } from "../../search/sessions-saying.js"
import { moveToTrash } from "../../sessions/move-to-trash.js"
import type { CommandLibrary, CommandSource } from "../../sessions/open-library.js"
import { withSession } from "../../sessions/open-to-read-or-write.js"
import { ListedPrices } from "../../sessions/prices.js"
import { listed } from "../../store/chosen-store.js"
import { requireWritable } from "../../store/command-sessions.js"
import { cwdIn, projectGroups } from "../../store/scope.js"
import { pickerLook, quietContext } from "../frame/picker.js"
import { previewOf, readableOf } from "./around.js"
import type { Finder } from "./finder.js"
import {
  type FindAnswer,
  type FinderActions,
  type FinderScope,
  type FindRequest,
  type Found,
  findHits,
  type Preview,
  type Readable,
  type Source,
  sessionOf,
} from "./found.js"
import { SessionRows, type SessionSort, sessionFound } from "./session-rows.js"

/** Sessions that are listed before all others are: more than a screen has. */
const FIRST_PAGE = 60
/** So many sessions are listed before they are shown, then twice as many: each time, all of them are sorted. */
const BATCH = 400
/** Bytes of a session that is opened for a preview, at most: it is opened between two keys. */
const MOST_PREVIEWED = 16_000_000
/** One letter of the alphabet is in every session: only names are searched for it. */
const ONE_LETTER = /^[\p{Script=Latin}\d]$/u

export interface FindOptions {
  readonly sort?: SessionSort
  readonly named?: boolean
  readonly filters?: FilterValues
  /** What is done with a session that was chosen. */
  readonly how?: Pick<HowToResume, "with" | "print">
}

/** Finds what the finder asks for, in the stores that are meant, and does what it asks of rows. */
export class Finding implements FinderActions<Source> {
  readonly #context: CommandContext
  readonly #library: CommandLibrary
  readonly #rows: SessionRows
  readonly #filters: FilterValues
  readonly #prices: ListedPrices
  readonly #titles = new Map<string, Promise<string>>()
  readonly #groupOf: ProjectFolders["titleOf"]
  readonly #stop = new AbortController()
  /** The names of stores that cannot be read. */
  readonly #unread = new Set<string>()
  #isUnindexed = false
  #prompts: readonly PromptSource[] | undefined

  constructor(context: CommandContext, library: CommandLibrary, options: FindOptions) {
    // stderr is the screen.
    this.#context = quietContext(context)
    this.#library = library.only(library.sources, ({ name }) => this.#unread.add(name))
    this.#groupOf = projectGroups(context)
    this.#filters = options.filters ?? {}
    this.#rows = new SessionRows(options.sort, options.named)
    this.#prices = new ListedPrices(context.io)
  }

  readonly faultOf = knownErrorMessage

  /** Lists the sessions, and then brings the index up to date. Resolves when that has ended. */
  async work(finder: Finder<Source>): Promise<void> {
    try {
      await this.#list(finder.state.wanted.scope, (progress) => finder.progressed(progress))
      await this.#index((progress, note) => finder.progressed(progress, note))
    } catch (error) {
      // Titles are searched then, and what was said is not.
      this.#isUnindexed = isTreelogError(error, "IndexUnavailableError")
      if (this.#stop.signal.aborted) return
      finder.progressed("", this.#unreadNote())
      finder.failed(error)
    }
  }

  async stop(working: Promise<void>): Promise<void> {
    this.#stop.abort()
    await working
  }

  /** @param first the scope that is on the screen */
  async #list(first: FinderScope, progressed: (progress: string) => void): Promise<void> {
    const signal = AbortSignal.any([this.#context.io.interrupted, this.#stop.signal])
    for (const limit of [FIRST_PAGE, undefined]) {
      // The copy that is shown is the newest of all folders.
      const scopes: readonly FinderScope[] = limit === undefined ? ["project", "all"] : [first]
      for (const scope of scopes) {
        const isHere = scope === "project"
        const query = { ...this.#filters, scope: isHere ? cwdIn(this.#context) : undefined }
        let [count, shown] = [0, BATCH]
        for await (const session of this.#library.list(query, { signal, limit })) {
          this.#rows.put(session, isHere)
          if (++count < shown) continue
          progressed("listing")
          shown *= 2
        }
        progressed("listing")
      }
    }
  }

  async #index(progressed: (progress: string, note: string) => void): Promise<void> {
    await keepIndexing(this.#context, this.#library, this.#stop.signal, (progress, unreadable) => {
      const notes = [unreadable > 0 ? `${unreadable} unreadable` : "", this.#unreadNote()]
      progressed(progress, notes.filter(Boolean).join(", "))
    })
  }

  #unreadNote(): string {
    return this.#unread.size > 0 ? `not read: ${listed([...this.#unread])}` : ""
  }

  async find(request: FindRequest): Promise<FindAnswer<Source>> {
    const { view } = request
    if (view === "sessions") return this.#findSessions(request)
    if (view === "prompts") {
      // Loaded where prompts are looked at, with SQLite.
      const { openPromptSources, promptRows } = await import("./found-prompts.js")
      this.#prompts ??= await openPromptSources(this.#context)
      const kept = await promptRows(this.#context, this.#prompts, request)
      // Programs that keep no prompts have what was said in their sessions.
      const programs = new Set(this.#prompts.map(({ store }) => store))
      const others = this.#library.sources.filter(({ program = "treelog" }) => !programs.has(program))
      if (others.length === 0) return kept
      const said = await this.#findHits(this.#library.only(others), request, { role: ["user"] })
      if (kept.rows.length === 0) return said
      // A history may have the prompts of other programs, too: those that were imported.
      const sessions = new Set(kept.rows.map(({ id }) => id))
      const rows = [...kept.rows, ...said.rows.filter(({ id }) => !sessions.has(id))].sort((a, b) => b.time - a.time)
      const isMore = kept.isMore || said.isMore || rows.length > request.limit
      return { request, rows: rows.slice(0, request.limit), isMore }
    }
    return this.#findHits(this.#library, request, {})
  }

  #findHits(library: CommandLibrary, request: FindRequest, filters: SearchFilters): Promise<FindAnswer<Source>> {
    const titleOf = (session: IndexedSession, source: CommandSource) => this.#titleOf(session, source)
    return findHits(this.#context, library, {
      request,
      filters: { ...this.#filters, ...filters },
      titleOf,
      projectOf: this.#groupOf,
    })
  }

  async #findSessions(request: FindRequest): Promise<FindAnswer<Source>> {
    const { query, scope, limit } = request
    const terms = plainTerms(query)
    const asked = terms.filter((term) => !ONE_LETTER.test(term))
    const filter = { scope: scope === "all" ? undefined : cwdIn(this.#context) }
    const isSearched = asked.length > 0 && !this.#isUnindexed
    const { said, isMore } = isSearched
      ? await sessionsSaying(this.#library, filter, asked, limit)
      : { said: NOTHING_SAID, isMore: false }
    // Where a letter is looked for in names alone, the other words do not stand for the query.
    const together = asked.length === terms.length ? said.together : NOTHING_SAID.together
    const matches = this.#rows.matching(query, terms, { ...said, together }, scope)
    await this.#prices.prepare(matches.map(({ row }) => row.info))
    const rows = matches.map((match) => sessionFound(match, this.#prices.price, this.#groupOf))
    return { request, rows, isMore, total: this.#rows.count(scope) }
  }

  /** Nothing of a session that would take long to open: what was found is shown anyway. */
  async preview(found: Found<Source>): Promise<Preview> {
    const path = sessionOf(found.source)?.path
    if (path !== undefined && (this.#rows.get(path)?.info.size ?? 0) > MOST_PREVIEWED) return {}
    return previewOf(found)
  }

  #titleOf(session: IndexedSession, { storage }: CommandSource): Promise<string> {
    const row = this.#rows.get(session.key)
    if (row) return Promise.resolve(row.title)
    const known = this.#titles.get(session.key) ?? sessionTitle(storage, session, this.#context.io.interrupted)
    this.#titles.set(session.key, known)
    return known
  }

  read(found: Found<Source>, columns: number): Promise<Readable> {
    return readableOf(found, pickerLook(this.#context), columns)
  }

  copy(text: string): void {
    // OSC 52: the terminal puts it on the clipboard.
    this.#context.io.terminal()?.output.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`)
  }

  async rename({ source }: Found<Source>, name: string): Promise<string> {
    const { store, path, id } = sessionOf(source) ?? noSession()
    requireWritable(store)
    const renaming = withSession(this.#context, { source: store, key: path }, (session) => {
      session.appendSessionInfo(name)
      return session.getSessionName()
    })
    const given = await this.#context.hold(renaming)
    await this.#listAgain(id)
    return given === undefined ? "Name removed." : "Name saved."
  }

  async remove({ source, title }: Found<Source>): ReturnType<FinderActions<Source>["remove"]> {
    if (source.kind !== "session")
      throw new UsageError("Sessions can be deleted where they are listed: Tab shows them.")
    const { store, info } = source
    requireWritable(store)
    if (!store.files) throw new UsageError("A database has no trash; `treelog delete --permanent` deletes for good.")
    const { trash } = store.files.storage
    const inTrash = await moveToTrash(this.#context, trash, info.path, { size: info.size })
    const dropped = this.#rows.drop(info.path)
    // An older copy takes its place.
    if (dropped && dropped.copies.length > 0) await this.#listAgain(info.id, dropped.isHere)
    return {
      notice: `In the trash; Ctrl-Z undoes it: ${title}`,
      undo: async () => {
        await this.#context.hold(trash.restore(inTrash))
        await this.#listAgain(info.id, dropped?.isHere)
        return "Restored."
      },
    }
  }

  async #listAgain(id: string, isHere = false): Promise<void> {
    const { source, path, copies } = await this.#library.resolve(id)
    const info = await listedSession(source.storage, path)
    if (info) this.#rows.put({ ...info, source, copies }, isHere)
  }
}

function noSession(): never {
  throw new UsageError("A prompt of the history is not a session.")
}
