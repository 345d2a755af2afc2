import type { Line } from "@treelog/session-core/adapter"
import type { OpenedFile } from "@treelog-internal/agent-files"
import { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import { mayHaveTitle } from "./excerpt.js"

/** Lines with one of these decide about usage: replies, also those that progress lines hold, and what a fork copied. */
const DECIDING = ['"assistant"', '"forkedFrom"']
/** Records of a larger file are read again when they are asked for. Bytes. */
const KEPT = 32 * 1024 * 1024
/** Memory for what is read at once: new memory for each of thousands of files takes longer than reading. */
let block: Buffer | undefined
/** Bytes. */
const PIECE = 256 * 1024
const [LF, CR] = [0x0a, 0x0d]
const BOM = /* @__PURE__ */ Buffer.from("\uFEFF")

/** Which lines are wanted besides those that decide about usage. */
export interface MoreLines {
  /** Those with one of these texts. */
  readonly texts?: readonly string[]
  /** All behind the last reply, which say whether that is complete. */
  readonly withEnd?: boolean
}

/**
 * The records of a file that decide what was used, where and when, and what the session is called: those up to the first folder and the first
 * time, replies, titles, and what a fork copied. Most lines are none of these, and are not parsed.
 * @throws SessionChangedError, StorageError
 */
export function usageIndex(file: OpenedFile, { texts = [], withEnd = false }: MoreLines = {}): SourceIndex {
  const index = new SourceIndex([], file.size > KEPT ? (offset, length) => file.read(offset, length) : undefined)
  const { first } = index
  const behind: { readonly line: number; readonly at: number; readonly length: number }[] = []
  let [line, offset] = [0, 0]
  for (const bytes of wholeLines(file)) {
    const finders = [...DECIDING, ...texts].map((text) => finderOf(bytes, Buffer.from(text)))
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = bytes.indexOf(LF, start) + 1 || bytes.length
      line += 1
      const isWanted =
        finders.some((isWithin) => isWithin(start, end)) ||
        first.cwd === undefined ||
        first.timestamp === undefined ||
        mayHaveTitle(bytes, start, end)
      if (!isWanted && withEnd) behind.push({ line, at: offset + start, length: end - start })
      if (!isWanted) continue
      if (index.add(lineOf(bytes.subarray(start, end), line, offset + start)).some(isReply)) behind.length = 0
    }
    offset += bytes.length
  }
  for (const { line, at, length } of behind) index.add(lineOf(file.read(at, length), line, at))
  if (behind.length > 0) index.records.sort((a, b) => a.offset - b.offset)
  return index
}

function isReply({ role, isSidechain }: SourceRecord): boolean {
  return role === "reply" && !isSidechain
}

/** As `linesOf` cuts it, which would take memory for each. */
function lineOf(bytes: Buffer, number: number, offset: number): Line {
  const terminated = bytes.at(-1) === LF
  const to = bytes.length - (terminated ? (bytes.at(-2) === CR ? 2 : 1) : 0)
  const from = offset === 0 && bytes.indexOf(BOM) === 0 ? BOM.length : 0
  const content = bytes.subarray(Math.min(from, to), to)
  return { number, offset: offset + from, bytes: content, end: offset + bytes.length, terminated }
}

/** The bytes of a file, cut at ends of lines. Each piece is valid until the next one is asked for. */
function* wholeLines(file: OpenedFile): Generator<Buffer> {
  const held: Buffer[] = []
  block ??= Buffer.allocUnsafeSlow(PIECE)
  for (const piece of file.pieces(block)) {
    const last = piece.lastIndexOf(LF) + 1
    const first = held.length > 0 ? piece.indexOf(LF) + 1 : 0
    if (first > 0) yield Buffer.concat([...held.splice(0), piece.subarray(0, first)])
    if (last > first) yield piece.subarray(first, last)
    if (last < piece.length) held.push(Buffer.from(piece.subarray(last)))
  }
  if (held.length > 0) yield Buffer.concat(held)
}

/** Whether a text stands in a range; to be asked for ranges that follow each other, so that all bytes are searched once. */
function finderOf(bytes: Buffer, text: Buffer): (from: number, to: number) => boolean {
  let next = -1
  return (from, to) => {
    if (next < from) next = bytes.indexOf(text, from)
    if (next === -1) next = bytes.length
    return next < to
  }
}
