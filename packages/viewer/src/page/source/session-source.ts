import type { BlobStore } from "@treelog/session-core"
import type { RateSource } from "../session/call-prices.js"

/** A source of a session. */
export interface SessionSource {
  /** The name for display, usually of a file. */
  readonly name: string
  /** Its images and long texts, if the source has them. */
  readonly blobs?: BlobSource
  /** Searches the session, if the source may have an index of it. */
  readonly search?: SearchIndex
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

/** The transcripts of a session's sub-agents. */
export interface AgentTranscripts {
  list(): Promise<readonly AgentTranscript[]>
  /** A transcript, whether it is in the list or not. */
  source(id: string): SessionSource
}

/** The transcript of a sub-agent. */
export interface AgentTranscript {
  readonly id: string
  /** The start of what it was asked. */
  readonly prompt: string
  /** Whether it is too large for this page, which only names it. */
  readonly isLeftOut?: boolean
}

/** A file of the session without its secrets. */
export interface Sharing {
  /** The address of the file. */
  readonly href: string
  /** Finds what is taken out, the most frequent kind first. Never the secrets. */
  findSecrets(signal: AbortSignal): Promise<readonly SecretKind[]>
}

/** The secrets of one kind. */
export interface SecretKind {
  readonly kind: string
  readonly count: number
  /** Some of their places. */
  readonly places: readonly SecretPlace[]
}

/** Where a secret is. */
export interface SecretPlace {
  /** Undefined in the header, and where a line cannot be read. */
  readonly entryId?: string
  readonly place?: string
  /** The transcript of a sub-agent. */
  readonly agent?: string
}
