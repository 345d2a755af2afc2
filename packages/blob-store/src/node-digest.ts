import { createHash } from "node:crypto"
import type { Digest } from "@treelog/session-core"

/** SHA-256 by Node's own crypto: at once, without a round trip to another thread. */
export const nodeDigest: Digest = {
  async sha256(bytes) {
    const digest = startDigest()
    digest.update(bytes)
    return digest.hex()
  },
}

/** SHA-256 of a stream of bytes. */
export interface RunningDigest {
  update(bytes: Uint8Array): void
  /** 64 lower-case hex digits; ends it. */
  hex(): string
}

export function startDigest(): RunningDigest {
  const hash = createHash("sha256")
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") }
}
