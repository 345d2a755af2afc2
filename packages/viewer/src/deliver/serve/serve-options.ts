import type { BlobStore, SessionStorage } from "@treelog/session-core"
import type { PriceUsage, SessionIndex } from "@treelog/session-core/search"
import type { PageOptions } from "../page-for.js"
import type { SessionSharing } from "../share/session-sharing.js"
import type { ListenOptions } from "./listen-local.js"

/** Options of `serveSession`. */
export interface ServeOptions extends Omit<PageOptions, "rates">, ListenOptions {
  readonly storage: SessionStorage
  /** The session's key in the storage. */
  readonly key: string
  readonly blobs: Pick<BlobStore, "get">
  /**
   * An index of the sessions of the storage, in which the page searches; the first search brings it up to date. Without one, the page
   * searches the entries that it has loaded.
   */
  readonly search?: ServedIndex | undefined
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
  /** Makes a file of the session without its secrets. Without it, the page has no button for that. */
  readonly sharing?: SessionSharing | undefined
}

/** An index that has the served session. */
export interface ServedIndex {
  readonly index: Pick<SessionIndex, "search" | "update">
  /** The id of the served session. */
  readonly sessionId: string
}
