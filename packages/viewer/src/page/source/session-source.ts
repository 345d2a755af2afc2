import type { BlobStore } from "@treelog/session-core"
import type { AgentTranscript, SecretKind } from "../../wire.js"
import type { RateSource } from "../session/call-prices.js"

export interface SessionSource {
  /** The name for display, usually of a file. */
  readonly name: string
  /** Its images and long texts, if the source has them. */
  readonly blobs?: BlobSource
  /** The transcripts of its sub-agents, if the source may have any. */
  readonly agents?: AgentTranscripts
  /** What its calls cost, if the source knows prices. */
  readonly rates?: RateSource
  /** Makes a file of the session without its secrets, if the source can. */
  readonly sharing?: Sharing
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

export interface AgentTranscripts {
  list(): Promise<readonly AgentTranscript[]>
  /** A transcript, whether it is in the list or not. */
  source(id: string): SessionSource
}

/** A file of the session without its secrets. */
export interface Sharing {
  /** The address of the file. */
  readonly href: string
  /** Finds what is taken out, the most frequent kind first. Never the secrets. */
  findSecrets(signal: AbortSignal): Promise<readonly SecretKind[]>
}
