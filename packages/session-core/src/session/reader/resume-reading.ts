import { fingerprint } from "../../log/bytes.js"
import type { SessionSource, StorageStat } from "../../ports/session-source.js"
import { sessionChanged } from "../../ports/stored-errors.js"

/** How far a session was read, and what its bytes were there: reading can resume only where these are still the same. */
export interface ReadMark {
  /** Where reading resumes: the end of a line that has a line end. Bytes. */
  readonly size: number
  /** The end of the header. Bytes; 0 where reading cannot resume. */
  readonly headSize: number
  /** Fingerprints of the bytes before `headSize`, and of the last ones before `size`. */
  readonly head: number
  readonly tail: number
}

export const FROM_START: ReadMark = { size: 0, headSize: 0, head: 0, tail: 0 }

/** Takes the bytes of a session, one block after the other. */
export interface ResumableReader {
  /** @param chunk is not needed any more when this returns */
  push(chunk: Uint8Array): void
  /** The end of the header's line; 0 before it was read. Bytes. */
  readonly headerEnd: number
  /** Where reading can resume: the end of the last line that has a line end, or of one before it. Bytes. */
  readonly end: number
  /** Whether this is not a session, whatever follows. */
  readonly hasFailed: boolean
}

/** How many bytes before the end of what was read must be unchanged for reading to resume there. */
const TAIL = 512

/** A session to read, and memory for its blocks. */
export interface SessionToRead {
  readonly storage: Pick<SessionSource, "readRange">
  readonly key: string
  readonly stat: StorageStat
  /** Blocks are read into it, one after the other. Longer than most headers. */
  readonly block: Uint8Array
}

/** Whether the bytes that a mark describes are unchanged, as far as its fingerprints show. */
export async function isUnchanged(session: SessionToRead, mark: ReadMark): Promise<boolean> {
  const { size, headSize, head, tail } = mark
  if (headSize === 0 || size > session.stat.size || headSize > session.block.length) return false
  if (fingerprint(await read(session, 0, headSize)) !== head) return false
  return fingerprint(await read(session, Math.max(0, size - TAIL), size)) === tail
}

/**
 * Reads a session up to the size of its `stat`, from a mark whose bytes are unchanged or from the start, and yields a new mark after
 * each block.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function* readFrom(
  session: SessionToRead,
  mark: ReadMark,
  reader: ResumableReader,
): AsyncGenerator<ReadMark> {
  const { key, stat } = session
  let { size, head, tail } = mark
  for (let at = mark.size; at < stat.size && !reader.hasFailed; ) {
    // Each block begins with the last bytes that were read before.
    const from = Math.max(0, at - TAIL)
    const block = await read(session, from, stat.size)
    if (block.length <= at - from) throw sessionChanged(key, "shrunk")
    reader.push(block.subarray(at - from))
    if (at === 0) head = fingerprint(block.subarray(0, reader.headerEnd))
    // The bytes of an end before this block are not here any more.
    if (reader.end > at) {
      size = reader.end
      tail = fingerprint(block.subarray(Math.max(0, size - TAIL - from), size - from))
    }
    at = from + block.length
    yield { size, headSize: reader.headerEnd, head, tail }
  }
}

/** As many of the bytes `[from, to)` as the block holds, until the next ones are read. */
function read({ storage, key, stat, block }: SessionToRead, from: number, to: number): Promise<Uint8Array> {
  return storage.readRange(key, from, Math.min(to - from, block.length), stat.identity, block)
}
