import { isTreelogError, type SessionInfo } from "@treelog/session-core"
import { compareRecency, type ListOptions, listedSession, listSessions } from "@treelog/session-core/adapter"
import { type SessionIndex, sessionMatcher } from "@treelog/session-core/search"
import { agentOfId, type Copy, compareCopies, conversationOf, isExcerpt, type ListedSession } from "./conversation.js"
import { isNarrow, type SessionQuery } from "./session-query.js"
import { type ListedSource, type OnSourceError, ofEach, type Source } from "./source.js"

/** How conversations are listed. */
export interface ConversationListOptions extends Pick<ListOptions, "signal" | "onProgress"> {
  /**
   * `"newest"` (default): the newest first, of the same time by path, when all have been scanned. `"streamed"`: each as soon as nothing that is
   * still to be scanned was written later.
   */
  readonly order?: "newest" | "streamed"
  /** At most so many. */
  readonly limit?: number | undefined
  /** Called where the limit left sessions out. */
  readonly onMore?: () => void
  /** Called with the id of each session of each source, before the first is listed. */
  readonly onId?: (id: string) => void
}

/** A session that comes next in the list of its source. */
interface Head<From extends ListedSource> {
  readonly source: From
  readonly infos: AsyncGenerator<SessionInfo>
  info: SessionInfo
  /** How many came before. */
  taken: number
}

/**
 * The sessions of several sources, the newest first: each conversation once, at its face, with the other copies named.
 * @param upToDate brings the index up to date, where a list does not know a model
 */
export async function* listConversations<From extends Source>(
  sources: readonly From[],
  query: SessionQuery,
  options: ConversationListOptions,
  upToDate: () => Promise<SessionIndex>,
  onError: OnSourceError<From>,
): AsyncGenerator<ListedSession<From>> {
  const { limit, onMore } = options
  let asked: Promise<SessionIndex> | undefined
  const index = (): Promise<SessionIndex> => {
    asked ??= upToDate()
    return asked
  }
  const matchers = new Map(
    sources.map((source) => [source, sessionMatcher(query, index, { name: source.address, agent: source.madeBy })]),
  )
  const listed = new Set<string>()
  let count = 0
  // A source may have several files of one session: then more of it are asked for.
  for (const most of limit === undefined || isNarrow(query) ? [undefined] : [limit + 1, undefined]) {
    const list = new ConversationList(sources, query, { ...options, limit: most }, onError)
    for await (const { source, info } of list.faces()) {
      const conversation = conversationOf(info, source)
      if (listed.has(conversation)) continue
      // Also one that does not fit: its older copies stand for the same conversation.
      listed.add(conversation)
      if (isNarrow(query) && !(await matchers.get(source)?.(info))) continue
      if (count === limit) {
        onMore?.()
        return
      }
      count += 1
      yield await list.listed(source, info)
    }
    if (!list.isCut) return
  }
}

/** Sessions of several sources, merged by their times. */
class ConversationList<From extends ListedSource> {
  /** Whether a source has more than it was asked for. */
  isCut = false
  readonly #sources: readonly From[]
  readonly #query: SessionQuery
  readonly #options: ConversationListOptions
  readonly #onError: OnSourceError<From>
  readonly #places: CopyPlaces<From>

  /** @param options with the limit of each source */
  constructor(
    sources: readonly From[],
    query: SessionQuery,
    options: ConversationListOptions,
    onError: OnSourceError<From>,
  ) {
    this.#sources = sources
    this.#query = query
    this.#options = options
    this.#onError = onError
    this.#places = new CopyPlaces(options.onId)
  }

  /** The conversation of a session, which an excerpt stands for only where there is no other copy. */
  async listed(source: From, info: SessionInfo): Promise<ListedSession<From>> {
    const copies = await this.#places.others(source, info)
    const whole = isExcerpt({ source }) ? copies.find((copy) => !isExcerpt(copy)) : undefined
    const face = whole && (await listedSession(whole.source.storage, whole.path))
    if (!whole || !face) return { ...info, source, copies }
    const others = copies.filter((copy) => copy !== whole)
    return { ...face, source: whole.source, copies: [{ source, path: info.path }, ...others] }
  }

  /** The newest first; of one time, the face of a conversation, and others by path. */
  async *faces(): AsyncGenerator<Taken<From>> {
    const heads = await this.#heads()
    const compare = compareCopies(this.#sources)
    try {
      while (heads.length > 0) yield* facesOf(await this.#takeNewest(heads), compare)
    } finally {
      // What was read so far is kept in the caches.
      for (const { infos } of heads) await infos.return(undefined)
    }
  }

  async #heads(): Promise<Head<From>[]> {
    const { order = "newest", limit, signal, onProgress } = this.#options
    const { scope } = this.#query
    const heads = await ofEach(this.#sources, this.#onError, async (source): Promise<Head<From> | undefined> => {
      const { storage, projectOf } = source
      const goesThroughAll = scope === undefined || storage.listsAll?.({ cwd: scope, project: projectOf(scope) })
      // Such a list sees each session before it knows which is the newest.
      const isSeenByList = order === "newest" && goesThroughAll
      if (!isSeenByList) await this.#places.seeAll(source)
      const infos = listSessions(storage, scope, {
        order,
        projectOf,
        signal,
        onProgress,
        limit,
        ...(isSeenByList && { onScanned: ({ key, id }) => this.#places.see(source, key, id) }),
      })
      const { value: info } = await infos.next()
      return info && { source, infos, info, taken: 0 }
    })
    return heads.filter((head) => head !== undefined)
  }

  /** Takes all that are as new as the newest. */
  async #takeNewest(heads: Head<From>[]): Promise<Taken<From>[]> {
    const newest = heads.reduce((one, other) => (compareRecency(other.info, one.info) < 0 ? other : one)).info
    const taken: Taken<From>[] = []
    for (const head of [...heads])
      while (heads.includes(head) && compareRecency(head.info, newest) <= 0) {
        taken.push({ source: head.source, path: head.info.path, info: head.info })
        head.taken += 1
        const info = await this.#next(head)
        if (info) head.info = info
        else heads.splice(heads.indexOf(head), 1)
      }
    return taken
  }

  async #next({ source, infos, taken }: Head<From>): Promise<SessionInfo | undefined> {
    try {
      const { value } = await infos.next()
      if (!value && taken === this.#options.limit) this.isCut = true
      return value || undefined
    } catch (error) {
      if (this.#sources.length === 1 || !isTreelogError(error)) throw error
      this.#onError(source, error)
      return undefined
    }
  }
}

type Taken<From extends ListedSource> = Copy<From> & { readonly info: SessionInfo }

function facesOf<From extends ListedSource>(
  taken: readonly Taken<From>[],
  compare: ReturnType<typeof compareCopies>,
): readonly Taken<From>[] {
  if (taken.length === 1) return taken
  const faces = new Map<string, Taken<From>>()
  for (const one of taken) {
    const name = conversationOf(one.info, one.source)
    const face = faces.get(name)
    if (!face || compare(one, face) < 0) faces.set(name, one)
  }
  return [...faces.values()].sort((a, b) => compareRecency(a.info, b.info) || (a.path < b.path ? -1 : 1))
}

/** Where the copies of conversations are. */
class CopyPlaces<From extends ListedSource> {
  readonly #places = new Map<string, Copy<From>[]>()
  readonly #onId: ((id: string) => void) | undefined

  constructor(onId: ((id: string) => void) | undefined) {
    this.#onId = onId
  }

  see(source: From, path: string, id: string): void {
    this.#onId?.(id)
    const copies = this.#places.get(id)
    if (copies) copies.push({ source, path })
    else this.#places.set(id, [{ source, path }])
  }

  /** By the names of sessions; one is read whose name has no id. */
  async seeAll(source: From): Promise<void> {
    const { storage } = source
    const unnamed: string[] = []
    for await (const { key, id, error } of storage.list())
      if (error) continue
      else if (id === undefined) unnamed.push(key)
      else this.see(source, key, id)
    if (unnamed.length === 0) return
    const keys = new Set(unnamed)
    for await (const { path, id, error } of listSessions(storage, undefined))
      if (keys.has(path) && !error) this.see(source, path, id)
  }

  async others(source: From, info: SessionInfo): Promise<readonly Copy<From>[]> {
    const copies = info.error || info.id === "" ? undefined : this.#places.get(info.id)
    if (copies === undefined || copies.length < 2) return NONE
    const others = copies.filter((copy) => copy.source !== source || copy.path !== info.path)
    const agent = agentOfId(info, source)
    if (agent === "") return others
    const listed = await Promise.all(others.map((copy) => listedSession(copy.source.storage, copy.path)))
    return others.filter((copy, at) => {
      const info = listed[at]
      return info && agentOfId(info, copy.source) === agent
    })
  }
}

const NONE: readonly never[] = []
