import type { BlobSource, SessionSource } from "@treelog/session-core"
import type { PriceUsage } from "@treelog/session-core/search"
import type { PageOptions } from "../page-for.js"
import type { SessionSharing } from "../share/session-sharing.js"
import { answerSession } from "./answer-session.js"
import { type ListenOptions, listenLocal, type ServedPage } from "./listen-local.js"

/** Options of `serveSession`. */
export interface ServeOptions extends Omit<PageOptions, "rates">, ListenOptions {
  readonly storage: SessionSource
  /** The session's key in the storage. */
  readonly key: string
  readonly blobs?: Pick<BlobSource, "get"> | undefined
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
  /** Makes a file of the session without its secrets. Without it, the page has no button for that. */
  readonly sharing?: SessionSharing | undefined
  /** The command line that goes on with the session. Without it, the page has no button that copies it. */
  readonly resume?: string | undefined
}

/**
 * Serves the viewer with a session on 127.0.0.1, and follows changes of the session. Requests need the token in their path, and
 * pages of other sites have no access, not even by DNS rebinding. Writes nothing.
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export function serveSession(options: ServeOptions): Promise<ServedPage> {
  return listenLocal(
    { ...options, homeName: "The session" },
    (path) => answerSession(options, path),
    () => {},
  )
}
