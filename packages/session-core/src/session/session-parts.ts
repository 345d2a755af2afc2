import type { SessionHeader } from "../entry/entry.js"
import { TreelogError } from "../errors.js"
import type { TitleSlot } from "../log/session-log.js"
import type { BlobSource } from "../ports/blob-store.js"
import type { Clock } from "../ports/clock.js"
import type { IdSource } from "../ports/ids.js"
import type { SessionSource } from "../ports/session-source.js"
import type { ProjectOf } from "./listing/is-of-folder.js"
import type { WritingOptions } from "./session-options.js"
import type { SessionState } from "./session-state.js"
import type { SessionStore } from "./writer/session-store.js"

/** What a manager and its sessions work with. */
export interface SessionPorts {
  readonly storage: SessionSource
  readonly blobs: BlobSource | undefined
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

type Owner = "Session" | "SessionManager"

/** Not members of the classes, whose public types have none for them; and no WeakMap, whose values survive until the next full collection. */
const PARTS: Readonly<Record<Owner, symbol>> = {
  Session: /* @__PURE__ */ Symbol("parts"),
  SessionManager: /* @__PURE__ */ Symbol("factory"),
}

/** Makes `partsOf` find the parts of a new session, or of a manager. */
export function keepParts(kind: Owner, owner: object, parts: object): void {
  Object.defineProperty(owner, PARTS[kind], { value: parts })
}

/** For functions of this package that take a session. @throws InvalidArgumentError for an object that is no `Session` of this copy of it */
export function sessionParts(session: object): SessionParts {
  return partsOf("Session", session) as SessionParts
}

/** @throws InvalidArgumentError for an object of which no parts were kept */
export function partsOf(kind: Owner, owner: object): object {
  const key = PARTS[kind]
  if (Object.hasOwn(Object(owner), key)) return (owner as Readonly<Record<symbol, object>>)[key] as object
  const message = `This is not a ${kind} of this copy of treelog: is @treelog/session-core installed twice?`
  const argument = kind === "Session" ? "session" : "sessions"
  throw new TreelogError("InvalidArgumentError", message, { argument, value: owner })
}
