import type { BlobStore, SessionStorage } from "@treelog/session-core"
import type { PageOptions } from "../page-for.js"

/** What is served, and where. */
export interface ServeOptions extends PageOptions {
  readonly storage: SessionStorage
  /** The session's key in the storage. */
  readonly key: string
  readonly blobs: Pick<BlobStore, "get">
  /** What only those know who may look: it becomes a part of the address. At least 16 characters of `A-Z a-z 0-9 - _`. */
  readonly token: string
  /** 0 takes one that is free. */
  readonly port: number
}

/** What the routes work with. */
export interface Served extends ServeOptions {
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}
