import { CURRENT_VERSION, type SessionHeader } from "../entry/entry.js"
import { valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import type { BlobSource, BlobStore } from "../ports/blob-store.js"
import type { Clock } from "../ports/clock.js"
import { type IdSource, isNameableId, LONGEST_ID } from "../ports/ids.js"
import type { SessionSource } from "../ports/session-source.js"
import { requireStorage, type SessionStorage } from "../ports/session-storage.js"
import type { ProjectOf } from "./listing/is-of-folder.js"
import type { StoredTail } from "./reader/stored-tail.js"
import { Session, type SessionRelatives } from "./session.js"
import { assertFolder } from "./session-errors.js"
import {
  type CreateOptions,
  holding,
  type NewSessionOptions,
  persistence,
  type WritingOptions,
} from "./session-options.js"
import type { SessionContent, SessionPorts } from "./session-parts.js"
import type { StoredStart } from "./writer/leased-session.js"
import { ReadingStore } from "./writer/reading-store.js"
import { SessionStore } from "./writer/session-store.js"
import { WritingStore } from "./writer/writing-store.js"

/** Assembles sessions from the options of a manager. */
export class SessionFactory implements SessionPorts {
  readonly storage: SessionSource
  readonly blobs: BlobSource | undefined
  readonly clock: Clock
  readonly ids: IdSource
  readonly projectOf: ProjectOf
  readonly #relatives: SessionRelatives

  constructor(ports: SessionPorts, relatives: SessionRelatives) {
    this.storage = ports.storage
    this.blobs = ports.blobs
    this.clock = ports.clock
    this.ids = ports.ids
    this.projectOf = ports.projectOf
    this.#relatives = relatives
  }

  /** @throws InvalidArgumentError for an id that could be no part of a file name, and for a folder that is no text */
  newHeader(cwd: string, { id, parentSession }: NewSessionOptions = {}): SessionHeader {
    assertFolder(cwd)
    if (id !== undefined && !(typeof id === "string" && isNameableId(id))) {
      const message = `${JSON.stringify(valueText(id).slice(0, LONGEST_ID + 1))} cannot be a session id: use at most ${LONGEST_ID} letters, digits, ".", "_" and "-", with a letter or digit at both ends.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "id", value: id })
    }
    const now = this.clock.now()
    return {
      type: "session",
      version: CURRENT_VERSION,
      id: id ?? this.ids.sessionId(now),
      timestamp: new Date(now).toISOString(),
      cwd,
      ...(parentSession !== undefined && { parentSession }),
    }
  }

  keyFor({ id, timestamp, cwd }: SessionHeader): string {
    return this.writable(cwd).keyFor({ id, timestamp, cwd, project: this.projectOf(cwd) })
  }

  /** @param key of the session, or the folder of a new one @throws ReadOnlyStorageError */
  writable(key: string): SessionStorage {
    return requireStorage(this.storage, key)
  }

  /** Where blobs of what is written go. @throws InvalidArgumentError where they can only be read */
  get blobStore(): BlobStore | undefined {
    const { blobs } = this
    if (!blobs || "put" in blobs) return blobs as BlobStore | undefined
    const message = "The blobs of this SessionManager can only be read: to write sessions, give it a BlobStore."
    throw new TreelogError("InvalidArgumentError", message, { argument: "blobs", value: blobs })
  }

  inMemory(content: SessionContent): Session {
    return this.#session(content, new SessionStore(content.state), {})
  }

  writing(key: string, content: SessionContent, options: CreateOptions, stored: StoredStart = {}): Session {
    const { persist = "message" } = options
    const held = holding(options)
    const writer = { ...held, ...persistence(persist) }
    const store = new WritingStore(this.writable(key), key, content, writer, stored, this.blobStore)
    return this.#session(content, store, { ...held, persist })
  }

  /** @param refusal what every write is answered with, when it is not that the session was opened for reading */
  reading(content: SessionContent, tail: StoredTail, refusal?: TreelogError): Session {
    return this.#session(content, new ReadingStore(this.storage, content.state, tail, refusal), {})
  }

  #session(content: SessionContent, store: SessionStore, writing: WritingOptions): Session {
    return new Session({ ...content, store, writing, ports: this, relatives: this.#relatives })
  }
}
