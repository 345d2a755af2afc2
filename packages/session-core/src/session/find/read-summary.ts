import { joinBytes } from "../../log/join-bytes.js"
import type { SessionStorage, StorageStat } from "../../ports/session-storage.js"
import { storedChunks } from "../stored/read-stored.js"
import { changed } from "../stored/stored-tail.js"
import type { Print, SessionSummary } from "./session-summary.js"
import { printOf, SummaryReader } from "./summary-reader.js"

/**
 * Sums a stored session up, of the size that `stat` tells. Where a former summary of it is given, and the bytes at the beginning and
 * at the end of what that one saw are still the same, only what was appended is read.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function readSummary(
  storage: SessionStorage,
  key: string,
  stat: StorageStat,
  former: SessionSummary | undefined,
): Promise<SessionSummary> {
  if (former && former.size > 0 && former.size < stat.size && (await isHead(storage, key, stat, former.head))) {
    const summary = await readOn(storage, key, stat, former)
    if (summary) return summary
  }
  const reader = new SummaryReader(key)
  const range = { from: 0, to: stat.size, identity: stat.identity }
  return pushAll(reader, key, storedChunks(storage, key, range), stat.size)
}

/** Undefined when what was seen is not there any more. */
async function readOn(
  storage: SessionStorage,
  key: string,
  { size, identity }: StorageStat,
  former: SessionSummary,
): Promise<SessionSummary | undefined> {
  const seen = former.tail.length
  const from = former.size - seen
  const chunks = storedChunks(storage, key, { from, to: size, identity })
  let beginning: Uint8Array = new Uint8Array()
  while (beginning.length < seen) {
    const { done, value } = await chunks.next()
    if (done) throw changed(key, "shrunk")
    beginning = joinBytes([beginning, value])
  }
  const tail = beginning.subarray(0, seen)
  if (!isSame(tail, former.tail)) {
    await chunks.return(undefined)
    return undefined
  }
  const reader = new SummaryReader(key, { summary: former, tail })
  reader.push(beginning.subarray(seen))
  return pushAll(reader, key, chunks, size - from - beginning.length)
}

async function pushAll(
  reader: SummaryReader,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<SessionSummary> {
  let left = bytes
  for await (const chunk of chunks) {
    reader.push(chunk)
    left -= chunk.length
    if (reader.hasEnded) return reader.finish()
  }
  if (left > 0) throw changed(key, "shrunk")
  return reader.finish()
}

async function isHead(storage: SessionStorage, key: string, { identity }: StorageStat, head: Print): Promise<boolean> {
  return isSame(await storage.readRange(key, 0, head.length, identity), head)
}

function isSame(bytes: Uint8Array, { length, print }: Print): boolean {
  return bytes.length === length && printOf(bytes).print === print
}
