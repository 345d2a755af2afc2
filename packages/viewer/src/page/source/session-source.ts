import type { BlobStore } from "@treelog/session-core"

/** A source of a session. */
export interface SessionSource {
  /** The name for display, usually of a file. */
  readonly name: string
  /** Its images and long texts, if the source has them. */
  readonly blobs?: BlobSource
  /** Searches the session, if the source may have an index of it. */
  readonly search?: SearchIndex
  /** Yields the stored session, and, if the source is live, its changes. Ends when no change can follow. */
  read(signal: AbortSignal): AsyncIterable<SourceEvent>
}

export type SourceEvent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Everything stored was read; more may be appended. */
  | { readonly kind: "caught-up" }
  /** The session was replaced: the following bytes are those of the new one. */
  | { readonly kind: "replaced" }
  /** The session was removed, or the source does not answer. */
  | { readonly kind: "lost"; readonly why: "gone" | "no-answer" }

/** Finds entries by a query. Undefined if there is no index of the session. */
export type SearchIndex = (query: string, signal: AbortSignal) => Promise<IndexAnswer | undefined>

/** The entries that an index found. */
export interface IndexAnswer {
  readonly ids: readonly string[]
  /** Whether there are more. */
  readonly isMore: boolean
  /** Set while the index is brought up to date, so that entries may be missing: sessions that it has, and all. */
  readonly indexing?: { readonly done: number; readonly total: number } | undefined
}

export type BlobSource = Pick<BlobStore, "get">
