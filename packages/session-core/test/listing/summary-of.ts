import type { SessionInfo } from "@treelog/session-core"
import type { SessionSummary } from "../door.js"
import { readSummary } from "../door.js"
import { KEY, statOf } from "./full-summary.js"

/** Longer than the end of a session that must be unchanged for reading to resume. Bytes. */
export const SHORTEST_BLOCK = 1025

/** The summary of the bytes, read in blocks of that size; where a former one is given, only what that one did not see. */
export async function summaryOf(bytes: Uint8Array, former?: SessionSummary, block = 1 << 20): Promise<SessionSummary> {
  const storage = {
    async readRange(_key: string, offset: number, length: number, _identity?: string, into?: Uint8Array) {
      const read = bytes.subarray(offset, offset + length)
      into?.fill(0).set(read)
      return into?.subarray(0, read.length) ?? read
    },
  }
  const session = { storage, key: KEY, id: "x", stat: statOf(bytes), block: new Uint8Array(block) }
  return JSON.parse(JSON.stringify(await readSummary(session, former)))
}

export function infoOf({ info }: SessionSummary): SessionInfo {
  return { path: KEY, ...info }
}
