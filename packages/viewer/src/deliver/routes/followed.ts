import type { SessionSource } from "@treelog/session-core"
import type { Place } from "../../wire.js"

/** What a page reads and follows: a session, or the transcript of a sub-agent. */
export interface Followed {
  /** Undefined when nothing is stored. @param known the identity of what the reader has, if anything */
  place(known: string | undefined): Promise<Place | undefined>
  /** @throws SessionChangedError if something else is stored now */
  bytes(from: number, to: number, identity: string): AsyncGenerator<Uint8Array>
}

/** Bytes per read. */
const BLOCK = 1 << 20

export function followedSession(
  storage: Pick<SessionSource, "stat" | "statContent" | "readRange">,
  key: string,
): Followed {
  return {
    async place(known) {
      const stat = await (storage.statContent?.(key) ?? storage.stat(key))
      return stat && { size: stat.size, identity: stat.identity, continues: stat.identity === known }
    },
    async *bytes(from, to, identity) {
      for (let offset = from; offset < to; ) {
        const bytes = await storage.readRange(key, offset, Math.min(BLOCK, to - offset), identity)
        if (bytes.length === 0) return
        yield bytes
        offset += bytes.length
      }
    },
  }
}
