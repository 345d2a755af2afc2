import type { BlobStore } from "@treelog/session-core"

/** Where a session comes from. */
export interface SessionSource {
  /** What to call it: the name of a file, as a rule. */
  readonly name: string
  /** Its images and long texts, where the source has them too. */
  readonly blobs?: BlobSource
  /** What there is, and, where the source is live, what comes. Ends when nothing can come any more. */
  read(signal: AbortSignal): AsyncIterable<SourceEvent>
}

export type SourceEvent =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Everything that is stored came; more may be appended. */
  | { readonly kind: "caught-up" }
  /** What came is no more: another session stands in its place. */
  | { readonly kind: "replaced" }
  /** For now, nothing comes: nothing is stored any more, or the source does not answer. */
  | { readonly kind: "lost"; readonly why: "gone" | "no-answer" }

export type BlobSource = Pick<BlobStore, "get">
