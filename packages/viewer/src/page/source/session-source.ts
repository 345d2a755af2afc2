import type { BlobStore } from "@treelog/session-core"

/** A source of a session. */
export interface SessionSource {
  /** The name for display, usually of a file. */
  readonly name: string
  /** Its images and long texts, if the source has them. */
  readonly blobs?: BlobSource
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

export type BlobSource = Pick<BlobStore, "get">
