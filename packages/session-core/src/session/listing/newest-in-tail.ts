import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { NO_FACTS, NO_FINGERPRINT, type SessionReading } from "./session-reading.js"
import { SummaryReader } from "./summary-reader.js"

const LF = 0x0a
/** How much of the end is looked at: most ends hold a message, and some a long one. Bytes. */
const TAILS = [16 * 1024, 128 * 1024]

/**
 * The newest time that the last messages of a session give, in milliseconds since 1970. Undefined where the end of it does not
 * tell, or is about all of it.
 */
export async function newestInTail(
  storage: SessionStorage,
  key: string,
  { size, identity }: StorageStat,
): Promise<number | undefined> {
  for (const length of TAILS) {
    if (size < 2 * length) return undefined
    const bytes = await storage.readRange(key, size - length, length, identity)
    const begin = bytes.indexOf(LF) + 1
    if (begin === 0) continue
    const reader = new SummaryReader(key, { reading: readUpTo(size - length + begin), tail: new Uint8Array() })
    reader.push(bytes.subarray(begin))
    const { facts, factsWithRest = facts } = reader.finish()
    if (factsWithRest.modified > 0) return factsWithRest.modified
  }
  return undefined
}

/** As if nothing had been said before. */
function readUpTo(size: number): SessionReading {
  return {
    header: { id: "", cwd: "", created: 0 },
    facts: NO_FACTS,
    size,
    lines: 0,
    head: NO_FINGERPRINT,
    tail: NO_FINGERPRINT,
  }
}
