import { isTreelogError, type SessionManager, TreelogError } from "@treelog/session-core"
import type { BlobReader } from "@treelog/session-core/adapter"
import type { PriceUsage, SessionIndex } from "@treelog/session-core/search"
import { storesPage } from "../page-for.js"
import { IndexUpdates } from "../routes/index-updates.js"
import { nameIn } from "../routes/path-names.js"
import { nothingHere, pageResponse, refusal } from "../routes/respond.js"
import { routesOf, type SessionRoutes } from "../routes/session-routes.js"
import type { SessionSharing } from "../share/session-sharing.js"
import { answerSession, type ServedSession } from "./answer-session.js"
import { type ListenOptions, listenLocal, type ServedPage } from "./listen-local.js"

/** A store on the page of all sessions. */
export interface ServedStore {
  /** For people, and in addresses: any text but none, `.` and `..`, such as `pi` or `omp:work`. */
  readonly name: string
  /** The agent of sessions whose headers name none, as the index has it. Default: the name. */
  readonly agent?: string | undefined
  /** Only read from. */
  readonly sessions: SessionManager
  /** An index of the same storage, for search and usage; the first question brings it up to date. */
  readonly index?: SessionIndex | undefined
  /** Makes files of its sessions without their secrets. Without it, their pages have no button for that. */
  readonly sharing?: SessionSharing | undefined
  /** The command line that goes on with a session. Without it, their pages have no button that copies it. @param id of the session */
  readonly resume?: ((id: string) => string | undefined) | undefined
  /** Where images and long texts of all its sessions are. */
  readonly blobs?: Pick<BlobReader, "get"> | undefined
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
  /** What sessions are grouped by, of a folder, such as its repository. Default: the folder. */
  readonly projectOf?: ((cwd: string, repositoryOf?: () => string | undefined) => string) | undefined
}

/** Options of `serveStores`. */
export interface ServeStoresOptions extends ListenOptions {
  readonly stores: readonly ServedStore[]
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
export async function serveStores({ stores, page, home, now, ...where }: ServeStoresOptions): Promise<ServedPage> {
  const closing = new AbortController()
  const byName = new Map(stores.map((store) => [store.name, new OpenStore(store, { page, now }, closing.signal)]))
  for (const { name } of stores)
    if (/^\.{0,2}$/.test(name) || byName.size !== stores.length)
      throw new TreelogError("InvalidArgumentError", "The names of stores are distinct, and not empty, `.` or `..`.", {
        argument: "stores",
        value: stores.map((store) => store.name),
      })
  const { url, close } = await listenLocal(
    { ...where, page, homeName: "All sessions" },
    async (path, signal) => {
      const [, kind = "", name = "", rest] = /^([^/?]*)(?:\/([^/?]*)\/(.*))?/s.exec(path) ?? []
      const store = byName.get(nameIn(name))
      if (kind === "" && rest === undefined) return sendStores(stores, { page, home })
      if (kind === "stores" && store && rest !== undefined) return store.answer(rest, signal)
      return kind === "open" && store && rest !== undefined ? store.answerSession(rest) : nothingHere()
    },
    () => closing.abort(),
  )
  return {
    url,
    close: async () => {
      await close()
      for (const store of byName.values()) await store.stopped()
    },
  }
}

const NO_SUCH_SESSION = "There is no such session in this store, or several have its id."

async function sendStores(
  stores: readonly ServedStore[],
  { page, home }: Pick<ServeStoresOptions, "page" | "home">,
): Promise<Response> {
  const links = stores.map(({ name, agent = name }) => {
    const part = encodeURIComponent(name)
    return { name, agent, base: `stores/${part}/`, open: `open/${part}/`, home }
  })
  return pageResponse(await storesPage(links, page))
}

/** A store, and its sessions that are shown. */
class OpenStore {
  readonly #store: ServedStore
  readonly #page: string | undefined
  readonly #updates: IndexUpdates | undefined
  readonly #routes: SessionRoutes
  /** By id. */
  readonly #opened = new Map<string, ServedSession>()

  constructor(store: ServedStore, { page, now }: Pick<ServeStoresOptions, "page" | "now">, closing: AbortSignal) {
    this.#store = store
    this.#page = page
    this.#updates = store.index && new IndexUpdates(store.index, closing)
    this.#routes = routesOf({ ...store, authorize: () => ({}), ...(now && { now }) }, this.#updates)
  }

  async answer(path: string, signal: AbortSignal): Promise<Response> {
    return (await this.#routes(new Request(`http://127.0.0.1/${path}`, { signal }))) ?? nothingHere()
  }

  /** Answers a request for `ID/`, the viewer with a session, and those of that page, which begin the same way. */
  async answerSession(path: string): Promise<Response> {
    const [, encoded = "", rest] = /^([^/?]+)\/(.*)$/s.exec(path) ?? []
    const id = nameIn(encoded)
    if (id === "" || rest === undefined) return nothingHere()
    try {
      return await answerSession(await this.#served(id, rest === ""), rest)
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError") && !isTreelogError(error, "AmbiguousSessionError")) throw error
      return refusal(404, NO_SUCH_SESSION)
    }
  }

  /** @param isNew whether to find the session again, since it may have moved */
  async #served(id: string, isNew: boolean): Promise<ServedSession> {
    const known = this.#opened.get(id)
    if (known && !isNew) return known
    const { sessions, index, sharing, price, blobs, resume } = this.#store
    const key = await sessions.resolve({ id })
    const updates = this.#updates
    const served: ServedSession = {
      storage: sessions.storage,
      key,
      searched: index && updates && { key, sessionId: id, index, updates },
      blobs,
      title: "Session",
      fileName: `${id}.jsonl`,
      page: this.#page,
      sharing,
      price,
      home: "../../../",
      resume: resume?.(id),
    }
    this.#opened.set(id, served)
    return served
  }

  /** Resolves when nothing is written to the index any more. */
  async stopped(): Promise<void> {
    await this.#updates?.stopped()
  }
}
