import { isTreelogError, type Session, type SessionManager, TreelogError } from "@treelog/session-core"
import { repositoryIn, textStart, titleLine } from "@treelog/session-core/adapter"
import {
  costOf,
  type IndexedSession,
  type IndexFilter,
  type PriceUsage,
  type ProjectTitle,
  type SessionIndex,
  sessionTitle,
} from "@treelog/session-core/search"
import { costText, plural } from "@treelog-internal/text"

interface ScopeOptions {
  readonly sessions: SessionManager
  readonly index: SessionIndex
  /** The folder whose sessions can be seen; undefined for those of all folders. */
  readonly cwd: string | undefined
  /** What texts go through before they are given away. */
  readonly redact: (text: string) => string
  readonly price: PriceUsage | undefined
  readonly projectTitle: ProjectTitle | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What a file may put into a line: more than the ids and the paths that programs write. UTF-16 units. */
const MAX_LABEL = 160
const MAX_TITLE = 120
/** How much of a text is redacted before it is cut: more than the longest secret. UTF-16 units. */
export const REDACTED = 20_000

type TitledSession = Pick<IndexedSession, "key" | "name" | "id" | "cwd">

/** What the tools may see, and how. */
export class Scope {
  readonly sessions: SessionManager
  readonly cwd: string | undefined
  readonly redact: (text: string) => string
  readonly price: PriceUsage | undefined
  readonly projectTitle: ProjectTitle | undefined
  readonly now: () => number
  readonly #index: SessionIndex

  constructor({ sessions, index, cwd, redact, price, projectTitle, now }: ScopeOptions) {
    this.sessions = sessions
    this.cwd = cwd
    this.redact = redact
    this.price = price
    this.projectTitle = projectTitle
    this.now = now
    this.#index = index
  }

  /** The filter that every question to the index has. */
  get filter(): Pick<IndexFilter, "isWanted"> {
    const { cwd, sessions } = this
    return cwd === undefined ? {} : { isWanted: (session) => sessions.isOfFolder(session, cwd) }
  }

  /** Why there is no session to answer with; empty where there are some. */
  async emptiness(signal: AbortSignal): Promise<string> {
    const { cwd, sessions } = this
    const options = { order: "newest", limit: 1, signal } as const
    for await (const _ of cwd === undefined ? sessions.listAll(options) : sessions.list(cwd, options)) return ""
    if (cwd === undefined) return "There is no session on this machine that this server can see."
    const count = await this.#countElsewhere(cwd, signal)
    return `There is no session of ${cwd}, the folder that this server was started for. Other folders have ${plural(count, "session")}: it sees them when it is started with --all, and those of one with --cwd FOLDER.`
  }

  /** What this server does not see: the sessions of other folders; empty where there are none. */
  async elsewhere(signal: AbortSignal): Promise<string> {
    const count = this.cwd === undefined ? 0 : await this.#countElsewhere(this.cwd, signal)
    const others = `${plural(count, "session")} of other folders can be seen when it is started with --all`
    return count === 0 ? "" : `\nThis server sees the sessions of ${this.cwd} alone: ${others}.`
  }

  async #countElsewhere(cwd: string, signal: AbortSignal): Promise<number> {
    let count = 0
    for await (const info of this.sessions.listAll({ signal }))
      if (!info.error && !this.sessions.isOfFolder(info, cwd)) count++
    return count
  }

  /** The index, up to date, and what to say of sessions that it lacks; `""` where it has all. */
  async index(signal: AbortSignal): Promise<{ readonly index: SessionIndex; readonly missing: string }> {
    const { failed } = await this.#index.update({ signal })
    const missing =
      failed.length === 0 ? "" : `\n${plural(failed.length, "session")} of the store cannot be read, and are left out.`
    return { index: this.#index, missing }
  }

  /** What a session cost; empty where no usage was reported. */
  async costOf(id: string): Promise<string> {
    const rows = await this.#index.usage({ session: id })
    return rows.length === 0
      ? ""
      : costText(
          costOf(
            rows.flatMap(({ usages }) => usages),
            this.price,
          ),
        )
  }

  /**
   * Opens a session by its full id: a reference from outside the program is never taken for a path.
   * @param entry the id of an entry that may be in a part of the session: then that is opened
   * @throws SessionNotFoundError, also for a session of another folder
   */
  async open(id: string, entry?: string): Promise<Session> {
    const session = await this.sessions.open({ id }, { access: "read" }).catch((error) => {
      throw isTreelogError(error, "SessionNotFoundError") ? this.#notFound(id) : error
    })
    if (
      this.cwd !== undefined &&
      !this.sessions.isOfFolder({ cwd: session.getCwd(), repository: repositoryIn(session.getHeader()) }, this.cwd)
    ) {
      await session.close()
      throw this.#notFound(id)
    }
    const isHere = entry === undefined || session.getEntry(entry) !== undefined
    const part = isHere ? undefined : await this.#partWith(session, entry)
    if (part) await session.close()
    return part ?? session
  }

  async #partWith(session: Session, entry: string): Promise<Session | undefined> {
    for await (const { key, error } of this.sessions.storage.parts?.(session.getSessionFile() ?? "") ?? []) {
      const part = error ? undefined : await this.#openedPart(key)
      if (part?.getEntry(entry)) return part
      await part?.close()
    }
    return undefined
  }

  /** Undefined for a file that is not a transcript. */
  async #openedPart(key: string): Promise<Session | undefined> {
    try {
      return await this.sessions.open(key, { access: "read" })
    } catch (error) {
      if (isTreelogError(error, "InvalidSessionError") || isTreelogError(error, "SessionNotFoundError"))
        return undefined
      throw error
    }
  }

  /** `Fix the flaky test (01a1ffe2…, /home/ada/shop, ~$1.24)`: by its name, or else the first that its user said. */
  async titleOf({ key, name, id, cwd }: TitledSession, signal: AbortSignal, cost = ""): Promise<string> {
    const title = this.shortTitle(await sessionTitle(this.sessions.storage, { key, name }, signal))
    return `${title || "Session"} (${[this.label(id), this.label(cwd), cost].filter(Boolean).join(", ")})`
  }

  /** An id, a folder, or a name of a model or a tool, in one line. Whoever wrote it may have written anything. */
  label(text: unknown): string {
    return this.#line(String(text), MAX_LABEL)
  }

  /** A title in one line, without secrets: one that is cut could not be found. */
  shortTitle(title: string): string {
    return this.#line(titleLine(title.slice(0, REDACTED)), MAX_TITLE)
  }

  #line(text: string, longest: number): string {
    return textStart(this.redact(text.slice(0, REDACTED)).replace(/\s+/g, " "), longest)
  }

  #notFound(id: string): TreelogError<"SessionNotFoundError"> {
    const message = `No session of ${this.cwd ?? "this store"} has the id ${JSON.stringify(id)}: use an id that search_sessions or list_sessions gave.`
    return new TreelogError("SessionNotFoundError", message, { ref: id })
  }
}

export function entryUri(sessionId: string, entryId: string): string {
  return `treelog://session/${encodeURIComponent(sessionId)}/entry/${encodeURIComponent(entryId)}`
}
