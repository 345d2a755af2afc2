import type { Session } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import {
  type FileQuery,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SumKind,
  type SumOptions,
  sessionTitle,
  type UsageSums,
} from "@treelog/session-core/search"
import type { ListedSession } from "./conversation.js"
import { type FoundUse, fileUses } from "./files.js"
import { type ConversationListOptions, listConversations } from "./list-conversations.js"
import { type EntryPlace, openEntry } from "./open-entry.js"
import { type ResolvedSession, resolveSession } from "./resolve.js"
import { type FoundHits, type FoundInSources, type LibrarySearch, searchSources, updateIndexes } from "./search.js"
import type { SessionFilter, SessionQuery } from "./session-query.js"
import type { OnSourceError, Source } from "./source.js"
import { type LibraryUsage, usageIn } from "./usage.js"
import { type SessionChange, type WatchOptions, watchConversations } from "./watch.js"

/**
 * The sessions of a machine: those of several sources as one. A source that cannot be read is reported, and ends no answer over all; the only one
 * fails with its error.
 */
export class Library<From extends Source = Source> {
  readonly sources: readonly From[]
  readonly #onError: OnSourceError<From>

  /** @param onError called with a source that cannot be read, where there are others */
  constructor(sources: readonly From[], onError: OnSourceError<From> = () => {}) {
    this.sources = sources
    this.#onError = onError
  }

  /** The sessions of some of the sources alone. @param onError called with one that cannot be read, where there are others */
  only(sources: readonly From[], onError: OnSourceError<From> = this.#onError): Library<From> {
    return new Library(sources, onError)
  }

  /** Lists conversations, the newest first: each once, at the copy with the newest message. @throws StorageError */
  list(query: SessionQuery = {}, options: ConversationListOptions = {}): AsyncGenerator<ListedSession<From>> {
    return listConversations(this.sources, query, options, this.#onError)
  }

  /** Yields what `list` has, and then each conversation that is new, was changed or is gone, when it is noticed. @throws StorageError */
  watch(query: SessionQuery, options: WatchOptions): AsyncGenerator<SessionChange<From>> {
    const settings = { order: "streamed", signal: options.signal } as const
    return watchConversations((asked) => this.list(asked, settings), query, options)
  }

  /** Whether there is any session: of a folder or its project, or anywhere. */
  async isAny({ scope }: Pick<SessionFilter, "scope"> = {}): Promise<boolean> {
    for (const { storage, projectOf } of this.sources)
      for await (const _ of listSessions(storage, scope, { projectOf, limit: 1 })) return true
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

  /** Opens the copy of a conversation that has an entry, or the part that has it, to read. @throws SessionNotFoundError */
  openEntry(place: EntryPlace): Promise<Session> {
    return openEntry(this.sources, place)
  }

  /** The title of a session that was found: its name, or else the first that its user said; empty where it has neither. */
  titleOf({ source, session }: Pick<FoundHits<From>, "source" | "session">, signal: AbortSignal): Promise<string> {
    return sessionTitle(source.storage, session, signal)
  }

  /** Brings the indexes up to date. @throws IndexUnavailableError without SQLite; StorageError of the only source */
  update(options: IndexUpdateOptions = {}): Promise<IndexUpdateReport> {
    return updateIndexes(this.sources, options, this.#onError)
  }

  /** Finds what was said, by what the indexes have: see `update`. An entry that several copies of a conversation have is found once. */
  search(query: LibrarySearch): Promise<FoundInSources<From>> {
    return searchSources(this.sources, query, this.#onError)
  }

  /** Sums what was used, by each of the kinds. A response that several sources have counts once, for the agent that made it. */
  usage(query: LibraryUsage, kinds: readonly SumKind[], options: SumOptions = {}): Promise<UsageSums<From>> {
    return usageIn(this.sources, query, kinds, options, this.#onError)
  }

  /** Finds the entries that read or changed a file, the newest first. @throws InvalidArgumentError for an empty path */
  files(query: FileQuery & SessionFilter): Promise<FoundUse<From>[]> {
    return fileUses(this.sources, query, this.#onError)
  }
}
