import { type OpenedFile, textsIn, wantedLines } from "@treelog-internal/agent-files"
import { SourceIndex } from "../source/source-index.js"
import { titlesIn } from "./excerpt.js"

/** Lines with one of these decide about usage: replies, also those that progress lines hold, and what a fork copied. */
const DECIDING = ['"assistant"', '"forkedFrom"']
/** Records of a larger file are read again when they are asked for. Bytes. */
const KEPT = 32 * 1024 * 1024

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
  const { first, records } = index
  const wantedIn = (bytes: Buffer) => {
    const [isDeciding, hasTitle] = [textsIn(bytes, [...DECIDING, ...texts]), titlesIn(bytes)]
    return (start: number, end: number): boolean =>
      isDeciding(start, end) || first.cwd === undefined || first.timestamp === undefined || hasTitle(start, end)
  }
  for (const line of wantedLines(file, file.size, wantedIn)) index.add(line)
  if (!withEnd) return index
  const known = new Set(records.map(({ line }) => line))
  const { line, offset } = records.filter(({ role, isSidechain }) => role === "reply" && !isSidechain).at(-1) ?? FIRST
  for (const one of file.lines({ line, offset })) if (!known.has(one.number)) index.add(one)
  records.sort((a, b) => a.line - b.line || a.part - b.part)
  return index
}

const FIRST = { line: 1, offset: 0 }
