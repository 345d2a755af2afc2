import type { SessionHeader } from "../entry/entry.js"
import { TreelogError } from "../errors.js"
import type { TitleSlot } from "../log/session-log.js"
import type { BlobStore } from "../ports/blob-store.js"
import type { Clock } from "../ports/clock.js"
import type { IdSource } from "../ports/ids.js"
import type { SessionStorage } from "../ports/session-storage.js"
import type { ProjectOf } from "./listing/is-of-folder.js"
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

/** Not a member of the class, whose public type has none for them; and not a WeakMap, whose values survive until the next full collection. */
const PARTS = /* @__PURE__ */ Symbol("parts")

/** Makes `sessionParts` find the parts of a new session. */
export function keepParts(session: object, parts: SessionParts): void {
  Object.defineProperty(session, PARTS, { value: parts })
}

/** @throws InvalidArgumentError for an object that is no `Session` of this copy of the package */
export function sessionParts(session: object): SessionParts {
  if (hasParts(session)) return session[PARTS]
  const message = "This is not a Session of this copy of treelog: pass one that its SessionManager returned."
  throw new TreelogError("InvalidArgumentError", message, { argument: "session", value: session })
}

function hasParts(session: object): session is { readonly [PARTS]: SessionParts } {
  return Object.hasOwn(session, PARTS)
}
