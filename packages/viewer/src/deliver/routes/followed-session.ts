import type { SessionStorage } from "@treelog/session-core"
import type { Followed } from "./followed.js"

/** Bytes per read. */
const BLOCK = 1 << 20

/** A stored session. */
export function followedSession({
  storage,
  key,
}: {
  readonly storage: Pick<SessionStorage, "stat" | "readRange">
  readonly key: string
}): Followed {
  return {
    async place(known) {
      const stat = await storage.stat(key)
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
