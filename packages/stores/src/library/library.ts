import { type Session, TreelogError } from "@treelog/session-core"
import { isOfFolder, listSessions } from "@treelog/session-core/adapter"
import {
  type FileQuery,
  type FileUse,
  type IndexedSession,
  type IndexFilter,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchQuery,
  type SessionHits,
  type SessionIndex,
  type SumOptions,
  sessionTitle,
  sumUsage,
  type UsageQuery,
  type UsageSums,
} from "@treelog/session-core/search"
import { type ListedSession, withFaceFirst } from "./conversation.js"
import { type ConversationListOptions, listConversations } from "./list-conversations.js"
import { type EntryPlace, openEntry } from "./open-entry.js"
import { type ResolvedSession, resolveSession } from "./resolve.js"
import type { SessionFilter, SessionQuery } from "./session-query.js"
import type { OnSourceError, Source } from "./source.js"
import { type SessionChange, type WatchOptions, watchConversations } from "./watch.js"

/** Hits of one session, and the source that it is in. */
export interface FoundHits<From extends Source = Source> extends SessionHits {
  readonly source: From
}

/** Hits of several sources, grouped by session in the order of the first hit of each. */
export interface FoundInSources<From extends Source = Source> {
  readonly sessions: readonly FoundHits<From>[]
  /** Whether there are more than the limit. */
  readonly isMore: boolean
}

/** What is searched for, in which sessions. */
export type LibrarySearch = SearchQuery & SessionFilter

/** A use of a file, and the source of its session. */
export interface FoundUse<From extends Source = Source> extends FileUse {
  readonly source: From
}

/** Whose usage is summed. */
export type LibraryUsage = Omit<UsageQuery, "by" | "per" | "sources"> & SessionFilter

/** What a library has besides its sources. */
export interface LibraryParts<From extends Source = Source> {
  /** Opens the index of all sources, once: it knows each by its address. Without it, what asks for it throws IndexUnavailableError. */
  readonly index?: (() => Promise<SessionIndex>) | undefined
  /** Called with a source that cannot be read, where there are others. */
  readonly onError?: OnSourceError<From> | undefined
}

/**
 * The sessions of a machine: those of several sources as one. A source that cannot be read is reported, and ends no answer over all; the only one
 * fails with its error.
 */
export class Library<From extends Source = Source> {
  readonly sources: readonly From[]
  readonly #index: () => Promise<SessionIndex>
  readonly #onError: OnSourceError<From>
  #opened: Promise<SessionIndex> | undefined

  constructor(sources: readonly From[], { index = noIndex, onError = () => {} }: LibraryParts<From> = {}) {
    this.sources = sources
    this.#index = index
    this.#onError = onError
  }

  /** The sessions of some of the sources alone. @param onError called with one that cannot be read, where there are others */
  only(sources: readonly From[], onError: OnSourceError<From> = this.#onError): Library<From> {
    return new Library(sources, { index: () => this.#openIndex(), onError })
  }

  /** Lists conversations, the newest first: each once, at the copy with the newest message. @throws StorageError */
  list(query: SessionQuery = {}, options: ConversationListOptions = {}): AsyncGenerator<ListedSession<From>> {
    const upToDate = async (): Promise<SessionIndex> => {
      await this.update()
      return this.#openIndex()
    }
    return listConversations(this.sources, query, options, upToDate, this.#onError)
  }

  /** Yields what `list` has, and then each conversation that is new, was changed or is gone, when it is noticed. @throws StorageError */
  watch(query: SessionQuery, options: WatchOptions): AsyncGenerator<SessionChange<From>> {
    const settings = { order: "streamed", signal: options.signal } as const
    return watchConversations((asked) => this.list(asked, settings), query, options)
  }

  /**
   * Whether there is any session: of a folder or its project, or anywhere.
   * @param isReadable leaves out what cannot be read, which may be of any folder
   */
  async isAny({ scope }: Pick<SessionFilter, "scope"> = {}, isReadable = false): Promise<boolean> {
    for (const { storage, projectOf } of this.sources)
      for await (const { error } of listSessions(storage, scope, { projectOf })) if (!isReadable || !error) return true
    return false
  }

  /**
   * Finds the session that a reference means: by its id, the start or the end of it, its name, or the id in the name of its file; `@last` and `@-2`.
   * @param scope the folder in which `@last` looks, and whose session a name means first; undefined for everywhere
   * @throws SessionNotFoundError, AmbiguousSessionError
   */
  resolve(ref: string, scope?: string): Promise<ResolvedSession<From>> {
    return resolveSession(this.sources, ref, scope, this.#onError)
  }

  /** Opens the copy of a conversation that has an entry, or the part that has it, to read; its face where none has it. @throws SessionNotFoundError */
  openEntry(place: EntryPlace): Promise<Session> {
    return openEntry(this.sources, place)
  }

  /** The title of a session that was found: its name, or else the first that its user said; empty where it has neither. */
  titleOf({ source, session }: Pick<FoundHits<From>, "source" | "session">, signal: AbortSignal): Promise<string> {
    return sessionTitle(source.storage, session, signal)
  }

  /** Brings the index up to date. @throws IndexUnavailableError without SQLite; StorageError of the only source */
  async update(options: Pick<IndexUpdateOptions, "signal" | "onProgress" | "only"> = {}): Promise<IndexUpdateReport> {
    return (await this.#openIndex()).update({
      ...options,
      sources: this.#addresses(),
      onUnreadableSource: this.#unreadable,
    })
  }

  /**
   * Finds what was said, by what the index has (see `update`): the newest first, or by relevance. An entry that several copies of a conversation
   * have is found once: in the one that is its face, of those that have it.
   */
  async search(query: LibrarySearch): Promise<FoundInSources<From>> {
    const asked = { ...this.#ofSources(query), faceOf: this.#faceOf, onUnreadableSource: this.#unreadable }
    const { sessions, isMore } = await (await this.#openIndex()).search(asked)
    return { sessions: sessions.map((found) => ({ ...found, source: this.#sourceOf(found.session) })), isMore }
  }

  /** Sums what was used, by each of the kinds. A response that several sessions have counts once: for the agent that made it, and in the oldest. */
  async usage(
    query: LibraryUsage,
    kinds: readonly NonNullable<UsageQuery["by"]>[],
    options: SumOptions = {},
  ): Promise<UsageSums<From>> {
    const index = await this.#openIndex()
    const sourceOf = (session: IndexedSession): From => this.#sourceOf(session)
    return sumUsage(index, this.#ofSources(query), kinds, { ...options, sourceOf })
  }

  /**
   * Finds the entries that read or changed a file, the newest first. Of an entry that several copies of a conversation have, that of one copy.
   * @throws InvalidArgumentError for an empty path
   */
  async files(query: FileQuery & SessionFilter): Promise<FoundUse<From>[]> {
    const uses = await (await this.#openIndex()).files({ ...this.#ofSources(query), faceOf: this.#faceOf })
    return uses.map((use) => ({ ...use, source: this.#sourceOf(use.session) }))
  }

  /** Closes the index, if it was opened: later questions fail with IndexUnavailableError. */
  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  #openIndex(): Promise<SessionIndex> {
    this.#opened ??= this.#index()
    return this.#opened
  }

  #addresses(): string[] {
    return this.sources.map(({ address }) => address)
  }

  #sourceOf({ source }: IndexedSession): From {
    return (this.sources.find(({ address }) => address === source) ?? this.sources[0]) as From
  }

  /** Makes a query one for the index: its scope becomes a condition. */
  #ofSources<Query extends IndexFilter>({ scope, ...query }: Query & Pick<SessionFilter, "scope">) {
    const sources = this.#addresses()
    if (scope === undefined) return { ...query, sources }
    const isWanted = (session: IndexedSession): boolean =>
      isOfFolder(session, scope, this.#sourceOf(session).projectOf) && query.isWanted?.(session) !== false
    return { ...query, sources, isWanted }
  }

  readonly #unreadable = (address: string, error: TreelogError): void => {
    const source = this.sources.find((one) => one.address === address)
    if (source) this.#onError(source, error)
  }

  /** The face of a conversation, of the sessions that have what was found. */
  readonly #faceOf = async (copies: readonly IndexedSession[]): Promise<IndexedSession> => {
    const known = copies.map((session) => ({ source: this.#sourceOf(session), path: session.key, session }))
    const [face] = await withFaceFirst(known, this.sources)
    return face?.session ?? (copies[0] as IndexedSession)
  }
}

async function noIndex(): Promise<never> {
  throw new TreelogError("IndexUnavailableError", "These sessions have no index.", { reason: "closed" })
}
