import { fingerprint } from "../../log/fingerprint.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { changed } from "../reader/stored-tail.js"
import { NO_RESUME, type SessionSummary } from "./session-summary.js"
import { SummaryReader } from "./summary-reader.js"

/** How many bytes before the end of what was read must be unchanged for reading to resume there. */
const TAIL = 1024

export interface StoredSession {
  readonly storage: Pick<SessionStorage, "readRange">
  readonly key: string
  /** The session id, if the key contains it. */
  readonly id?: string | undefined
  readonly stat: StorageStat
  /** Blocks are read into it, one after the other. Longer than the header, for reading to resume. */
  readonly block: Uint8Array
}

/**
 * Summarizes a stored session of the size of `stat`. With a former summary, if the first and the last bytes that it was made of are
 * unchanged, only what was appended is read.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function readSummary(session: StoredSession, former?: SessionSummary): Promise<SessionSummary> {
  const { key, id, stat } = session
  const resume = former && (await hasSameHead(session, former)) ? former.resume : NO_RESUME
  const reader = new SummaryReader(key, resume === NO_RESUME ? undefined : former)
  let { size: at, head, tail } = resume
  while (at < stat.size && !reader.hasFailed) {
    // Each block begins with the last bytes that were read before.
    const from = Math.max(0, at - TAIL)
    const block = await read(session, from, stat.size)
    if (block.length <= at - from) throw changed(key, "shrunk")
    if (at > 0 && at === resume.size && fingerprint(block.subarray(0, at - from)) !== resume.tail)
      return readSummary(session)
    reader.push(block.subarray(at - from))
    if (at === 0) head = fingerprint(block.subarray(0, reader.headerEnd))
    if (reader.end > at) tail = fingerprint(block.subarray(Math.max(0, reader.end - TAIL - from), reader.end - from))
    at = from + block.length
  }
  return reader.finish(id, stat, { head, tail })
}

async function hasSameHead(session: StoredSession, { resume }: SessionSummary): Promise<boolean> {
  const { size, headSize, head } = resume
  if (headSize === 0 || size >= session.stat.size || headSize > session.block.length) return false
  return fingerprint(await read(session, 0, headSize)) === head
}

/** As many of the bytes `[from, to)` as the block holds, until the next ones are read. */
function read({ storage, key, stat, block }: StoredSession, from: number, to: number): Promise<Uint8Array> {
  return storage.readRange(key, from, Math.min(to - from, block.length), stat.identity, block)
}
