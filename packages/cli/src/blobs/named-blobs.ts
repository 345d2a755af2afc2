import type { SessionEntry } from "@treelog/session-core"
import { jsonText } from "@treelog/session-core/json"

const REFERENCE = /blob:sha256:([0-9a-f]{64})(?![0-9a-f])/g

/** The hashes that entries name anywhere, as a sweep looks for them. */
export function namedBlobs(entries: Iterable<SessionEntry>): Set<string> {
  const hashes = new Set<string>()
  for (const entry of entries) {
    for (const [, hash] of jsonText(entry).matchAll(REFERENCE)) if (hash !== undefined) hashes.add(hash)
  }
  return hashes
}
