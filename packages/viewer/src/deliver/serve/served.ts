import type { BlobStore, SessionStorage } from "@treelog/session-core"
import type { PageOptions } from "../page-for.js"

/** Options of `serveSession`. */
export interface ServeOptions extends PageOptions {
  readonly storage: SessionStorage
  /** The session's key in the storage. */
  readonly key: string
  readonly blobs: Pick<BlobStore, "get">
  /** The secret that gives access, part of the URL. At least 16 characters of `A-Z a-z 0-9 - _`. */
  readonly token: string
  /** 0 for any free port. */
  readonly port: number
}

/** The input of the routes. */
export interface Served extends ServeOptions {
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}
