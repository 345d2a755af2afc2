import type { StorageStat } from "@treelog/session-core"

/** What a page needs to ask for bytes: the size, in bytes, and an identity that stays the same while there is only appended. */
export type Place = Pick<StorageStat, "size" | "identity">

/** What a page reads and follows: a session, or the transcript of a sub-agent. */
export interface Followed {
  /** Undefined when nothing is stored any more. @throws SessionNotFoundError if there was nothing before */
  place(): Promise<Place | undefined>
  /** Yields now, and whenever the place may have changed, until the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<void>
  /** @throws SessionChangedError if something else is stored now */
  bytes(from: number, to: number, identity: string): AsyncGenerator<Uint8Array>
}
