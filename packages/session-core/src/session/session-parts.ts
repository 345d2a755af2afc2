import type { SessionHeader } from "../entry/entry.js"
import { TreelogError } from "../errors.js"
import type { TitleSlot } from "../log/session-log.js"
import type { BlobStore } from "../ports/blob-store.js"
import type { Clock } from "../ports/clock.js"
import type { IdSource } from "../ports/ids.js"
import type { SessionStorage } from "../ports/session-storage.js"
import type { ProjectOf } from "./listing/is-of-folder.js"
import type { SessionFactory } from "./session-factory.js"
import type { WritingOptions } from "./session-options.js"
import type { SessionState } from "./session-state.js"
import type { SessionStore } from "./writer/session-store.js"

/** What a manager and its sessions work with. */
export interface SessionPorts {
  readonly storage: SessionStorage
  readonly blobs: BlobStore | undefined
  readonly clock: Clock
  readonly ids: IdSource
  readonly projectOf: ProjectOf
}

/** What a session starts with. */
export interface SessionContent {
  readonly header: SessionHeader
  readonly state: SessionState
  readonly titleSlot?: TitleSlot | undefined
}

/** What other modules of this package use of a session beyond its public methods. */
export interface SessionParts extends SessionContent {
  readonly store: SessionStore
  readonly ports: SessionPorts
  /** How the session is written; its branches and successors are written the same way. */
  readonly writing: WritingOptions
}

/** Not a member of the classes, whose public types have none for them; and not a WeakMap, whose values survive until the next full collection. */
const PARTS = /* @__PURE__ */ Symbol("parts")

/** Makes `partsOf` find the parts of a new session, or of a manager. */
export function keepParts(owner: object, parts: object): void {
  Object.defineProperty(owner, PARTS, { value: parts })
}

/** For functions of this package that take a session. @throws InvalidArgumentError for an object that is no `Session` of this copy of it */
export function sessionParts(session: object): SessionParts {
  return partsOf(session, "session", "a Session") as SessionParts
}

/** For functions that take a manager. @throws InvalidArgumentError as `sessionParts` */
export function factoryOf(sessions: object): SessionFactory {
  return partsOf(sessions, "sessions", "a SessionManager") as SessionFactory
}

function partsOf(owner: object, argument: string, what: string): object {
  if (hasParts(owner)) return owner[PARTS]
  const message = `This is not ${what} of this copy of treelog: is @treelog/session-core installed twice?`
  throw new TreelogError("InvalidArgumentError", message, { argument, value: owner })
}

function hasParts(owner: object): owner is { readonly [PARTS]: object } {
  return Object.hasOwn(owner, PARTS)
}
