import type { BlobSource, SessionManager, SessionSource } from "@treelog/session-core"
import type { isOfFolder, ProjectOf } from "@treelog/session-core/adapter"
import type { Prices, SessionIndex } from "@treelog/session-core/search"
import type { IndexUpdates } from "./index-updates.js"
import type { LiveStates, ServedSessions, ServedSource } from "./served-sessions.js"

type SessionPlacement = Parameters<typeof isOfFolder>[0]

/** What a request may see: the sessions of a folder, of a project (by the storage's name of it), or all. */
export interface SessionScope {
  readonly cwd?: string
}

/** Options of `createSessionRoutes`. */
export interface SessionRoutesOptions {
  /** Only read from. */
  readonly sessions: SessionManager<SessionSource>
  /** The index of the same storage, for search and usage. It is brought up to date when it is asked. */
  readonly index?: SessionIndex | undefined
  /** Where images and long texts are. */
  readonly blobs?: Pick<BlobSource, "get"> | undefined
  /** What the request may see; undefined refuses it with 403. It is asked at every request. */
  readonly authorize: (request: Request) => SessionScope | undefined | Promise<SessionScope | undefined>
  /** What estimates a cost that no program wrote, such as those made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly prices?: Prices | undefined
  /** What sessions are grouped by, of a folder, such as its repository. Default: the folder. */
  readonly projectOf?: ProjectOf | undefined
  /** What the paths of the routes begin with, such as `/api`. Default: nothing. */
  readonly base?: string
  /** Ends the update of the index, for a server that stops. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
}

export interface AnswerContext<From extends ServedSource = ServedSource>
  extends Pick<SessionRoutesOptions, "prices" | "projectOf"> {
  readonly sessions: ServedSessions<From>
  readonly updates: IndexUpdates<From>
  /** The folder whose sessions may be seen, and whether one is of it; undefined for all sessions. */
  readonly seen: { readonly cwd: string; readonly has: (session: SessionPlacement) => boolean } | undefined
  /** How a source is called in answers and requests; empty for the only one. */
  readonly nameOf: (source: From) => string
  readonly now: () => number
  /** Looks what sessions do at the moment. Without it, lists do not say it. */
  readonly live?: LiveStates<From> | undefined
}
