import { type BlobSource, isTreelogError, SessionManager, TreelogError } from "@treelog/session-core"
import type { ProjectOf } from "@treelog/session-core/adapter"
import type { Prices } from "@treelog/session-core/search"
import { storesPage } from "../page-for.js"
import { IndexUpdates } from "../routes/index-updates.js"
import { answerTo, nothingHere, pageResponse, refusal } from "../routes/respond.js"
import type { AnswerContext } from "../routes/route-context.js"
import type { LiveStates, ServedSessions, ServedSource } from "../routes/served-sessions.js"
import { answerAbout, nameIn, namesIn } from "../routes/session-routes.js"
import { type ListenOptions, listenLocal, type ServedPage } from "./listen-local.js"
import { answerSession, type OpenedSession, type SessionSharing } from "./serve-session.js"

/** What the pages of the sessions of one store have besides. */
export interface StoreExtras {
  /** Makes files of its sessions without their secrets. Without it, their pages have no button for that. */
  readonly sharing?: SessionSharing | undefined
  /** The command line that goes on with a session. Without it, their pages have no button that copies it. @param id of the session */
  readonly resume?: ((id: string) => string | undefined) | undefined
  /** Where images and long texts of all its sessions are. */
  readonly blobs?: Pick<BlobSource, "get"> | undefined
}

/** Options of `serveStores`. */
export interface ServeStoresOptions<From extends ServedSource = ServedSource> extends ListenOptions {
  /** Such as a `Library` of `@treelog/stores`. Only read from; the first question brings its indexes up to date. */
  readonly sessions: ServedSessions<From>
  /** How a store is called, for people and in addresses: any text but none, `.` and `..`, such as `omp:work`. Default: the name of the source. */
  readonly nameOf?: ((source: From) => string) | undefined
  /** Called when the first session of a store is opened. */
  readonly extrasOf?: ((source: From) => Promise<StoreExtras>) | undefined
  /** What estimates a cost that no program wrote, such as those made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly prices?: Prices | undefined
  /** What sessions are grouped by, of a folder, such as its repository. Default: the folder. */
  readonly projectOf?: ProjectOf | undefined
  /** Looks what sessions do at the moment, such as by `LiveSessions` of `@treelog/stores`. Default: the list does not say it. */
  readonly live?: LiveStates<From> | undefined
  /** The result of `viewerPage`, if you have it. Default: read from the package. */
  readonly page?: string | undefined
  /** The folder that is shown as `~`, such as the user's home. */
  readonly home?: string | undefined
  /** What `since:2d` is counted from. Milliseconds since 1970. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

/**
 * Serves the page of all sessions of some stores on 127.0.0.1: their list, search, usage, and each session in the viewer. Access is
 * limited as by `serveSession`. Sessions are named by their ids; no path is in an address. Writes nothing but the indexes.
 * @throws InvalidArgumentError for a token that is too short, a port that is in use, or names of stores that are not distinct or no part of an address
 */
export async function serveStores<From extends ServedSource>(options: ServeStoresOptions<From>): Promise<ServedPage> {
  const { sessions, nameOf = ({ name }) => name, page, home, now = Date.now } = options
  const closing = new AbortController()
  const updates = new IndexUpdates(sessions, closing.signal)
  const context: AnswerContext<From> = { ...options, updates, seen: undefined, nameOf, now }
  const stores = new Map(sessions.sources.map((source) => [nameOf(source), new OpenStore(source, options)]))
  const names = sessions.sources.map(nameOf)
  if (stores.size !== names.length || names.some((name) => /^\.{0,2}$/.test(name)))
    throw new TreelogError("InvalidArgumentError", "The names of stores are distinct, and not empty, `.` or `..`.", {
      argument: "stores",
      value: names,
    })
  const links = sessions.sources.map((source) => {
    const name = nameOf(source)
    return { name, agent: source.madeBy, open: `open/${encodeURIComponent(name)}/` }
  })
  const { url, close } = await listenLocal(
    { ...options, homeName: "All sessions" },
    async (path, signal) => {
      const [, kind = "", rest] = /^([^/?]*)(?:\/(.*))?/s.exec(path) ?? []
      if (kind === "" && rest === undefined)
        return pageResponse(await storesPage({ stores: links, base: "all/", home }, page))
      if (kind === "all" && rest !== undefined) {
        const asked = new URL(`http://127.0.0.1/${rest}`)
        return answerAbout(context, signal, asked, namesIn(asked.pathname)).catch(answerTo)
      }
      const [, store = "", ofStore] = /^([^/?]*)\/(.*)$/s.exec(rest ?? "") ?? []
      const opened = stores.get(nameIn(store))
      return kind === "open" && opened && ofStore !== undefined ? opened.answer(ofStore) : nothingHere()
    },
    () => closing.abort(),
  )
  return {
    url,
    close: async () => {
      await close()
      await updates.stopped()
    },
  }
}

const NO_SUCH_SESSION = "There is no such session in this store, or several have its id."

/** A store, and its sessions that are shown. */
class OpenStore<From extends ServedSource> {
  readonly #source: From
  readonly #options: ServeStoresOptions<From>
  #extras: Promise<StoreExtras> | undefined
  /** By id. */
  readonly #opened = new Map<string, OpenedSession>()

  constructor(source: From, options: ServeStoresOptions<From>) {
    this.#source = source
    this.#options = options
  }

  /** Answers a request for `ID/`, the viewer with a session, and those of that page, which begin the same way. */
  async answer(path: string): Promise<Response> {
    const [, encoded = "", rest] = /^([^/?]+)\/(.*)$/s.exec(path) ?? []
    const id = nameIn(encoded)
    if (id === "" || rest === undefined) return nothingHere()
    try {
      return await answerSession(await this.#open(id, rest === ""), rest)
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError") && !isTreelogError(error, "AmbiguousSessionError")) throw error
      return refusal(404, NO_SUCH_SESSION)
    }
  }

  /** @param isNew whether to find the session again, since it may have moved */
  async #open(id: string, isNew: boolean): Promise<OpenedSession> {
    const known = this.#opened.get(id)
    if (known && !isNew) return known
    const { storage } = this.#source
    const { page, prices, extrasOf } = this.#options
    const key = await new SessionManager({ storage }).resolve({ id })
    this.#extras ??= extrasOf?.(this.#source)
    const { resume, ...extras } = (await this.#extras) ?? {}
    const opened: OpenedSession = {
      ...{ ...extras, storage, key, page, price: prices?.at() },
      ...{ title: "Session", fileName: `${id}.jsonl`, home: "../../../", resume: resume?.(id) },
    }
    this.#opened.set(id, opened)
    return opened
  }
}
