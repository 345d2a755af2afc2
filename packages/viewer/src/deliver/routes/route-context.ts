import type { SessionManager } from "@treelog/session-core"
import type { BlobReader } from "@treelog/session-core/adapter"
import type { PriceUsage, SessionIndex } from "@treelog/session-core/search"
import type { IndexUpdates } from "./index-updates.js"

/** What a request may see: the sessions of a folder, of a project (by the storage's name of it), or all. */
export interface SessionScope {
  readonly cwd?: string
}

/** Options of `createSessionRoutes`. */
export interface SessionRoutesOptions {
  /** Only read from. */
  readonly sessions: SessionManager
  /** The index of the same storage, for search and usage. It is brought up to date when it is asked. */
  readonly index?: SessionIndex | undefined
  /** Where images and long texts are. */
  readonly blobs?: Pick<BlobReader, "get"> | undefined
  /** What the request may see; undefined refuses it with 403. It is asked at every request. */
  readonly authorize: (request: Request) => SessionScope | undefined | Promise<SessionScope | undefined>
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
  /** What sessions are grouped by, of a folder, such as its repository. Default: the folder. */
  readonly projectOf?: ((cwd: string, repositoryOf?: () => string | undefined) => string) | undefined
  /** What the paths of the routes begin with, such as `/api`. Default: nothing. */
  readonly base?: string
  /** Ends the update of the index, for a server that stops. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
}

/** What the routes share. */
export interface RouteContext extends SessionRoutesOptions {
  readonly scope: SessionScope
  readonly updates: IndexUpdates | undefined
  readonly now: () => number
}
