import { type Line, LineSplitter, linesOf, parseLine } from "@treelog/session-core/adapter"
import type { FileRanges, FsPort } from "@treelog-internal/fs"
import { isTyped } from "../source/prompt-text.js"
import { headOf, type RecordHead, TITLE_FIELDS } from "../source/record-head.js"
import { CLAUDE_RECORDS, SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import { withFile } from "./file-bytes.js"

type ParsedLine = ReturnType<typeof parseLine>

/** So much of the end of a file is read, and more where that has no two messages. Bytes. */
const ENDS = [64, 256, 1024, 8 * 1024].map((kilobytes) => kilobytes * 1024)
/** Of the lines before the first prompt, those in so much of the file. Bytes. */
const START = 8 * 1024 * 1024
/** Memory for what is read at once of the end of a file, and of what stands before: new memory for each takes longer than reading. */
const ending = /* @__PURE__ */ Buffer.allocUnsafeSlow(64 * 1024)
const block = /* @__PURE__ */ Buffer.allocUnsafeSlow(64 * 1024)
/** Of lines with a title, and with the repository of a worktree. */
const TITLE = /* @__PURE__ */ new RegExp(`"type"\\s*:\\s*"(?:${[...TITLE_FIELDS.keys(), "worktree-state"].join("|")})"`)
/** How most lines begin, but no title. */
const OF_CONVERSATION = /* @__PURE__ */ Buffer.from('{"parentUuid":')
/** The type of a title is so near to the start of its line or, of one that is glued to another, to the end. Bytes. */
const NEAR = 512
/** Stands between two records in a line. */
const GLUE = "}{"
const LF = 0x0a

/** Lines of a file. They are not numbered as in it. */
export interface Excerpt {
  readonly index: SourceIndex
  /** Whether the last turn is among them. */
  readonly hasEnd: boolean
}

/**
 * The lines of a file that a list needs, so that not all are converted: those up to the first prompt, those with a title, and those of the last
 * turn, which may be all.
 * @throws StorageError
 */
export function excerptOf(fs: FsPort, path: string, size: number): Excerpt {
  return withFile(fs, path, (file) => {
    const { offset, lines, hasEnd } = fileEnd(file, size)
    const indexWith = (uuids: readonly string[]): SourceIndex => {
      const index = new SourceIndex()
      addBefore(index, file, offset, uuids)
      for (const { line, parsed } of [...lines].reverse()) index.add(line, parsed)
      return index
    }
    const index = indexWith([])
    const named = linesOfSummaries(index)
    return { index: named.length > 0 ? indexWith(named) : index, hasEnd }
  })
}

interface End {
  /** Of its first line. Bytes. */
  readonly offset: number
  /** The last first. */
  readonly lines: { readonly line: Line; readonly parsed: ParsedLine }[]
  readonly hasEnd: boolean
}

/** The end of a file, with the last two messages at least, unless they are too far from it. */
function fileEnd(file: FileRanges, size: number): End {
  const lines: End["lines"] = []
  const messages = new Set<unknown>()
  let offset = size
  for (const length of ENDS) {
    const start = Math.max(0, size - length)
    // No line before them has such a number. The first may be only the end of one.
    const bytes = file.read(start, offset - start, length > ending.length ? undefined : ending)
    const all = [...linesOf(bytes, { line: size, offset: start })].slice(start > 0 ? 1 : 0)
    for (const line of all.reverse()) {
      const parsed = parseLine(line, CLAUDE_RECORDS)
      lines.push({ line, parsed })
      offset = line.offset
      for (const { value, place } of parsed.records) {
        const head = headOf(value, place.length)
        if (isSaid(head) && value.isSidechain !== true) messages.add(head.key ?? head)
      }
      if (messages.size > 1) return { offset, lines, hasEnd: true }
    }
    if (start === 0) return { offset, lines, hasEnd: true }
  }
  return { offset, lines, hasEnd: false }
}

/** Whether it is a message that says how a turn ended. Results say it with the reply before them. */
function isSaid({ role, promptKind }: RecordHead): boolean {
  const isPrompt = role === "prompt" && (isTyped(promptKind) || promptKind === "interruption")
  return isPrompt || role === "queued" || role === "reply"
}

/** Adds, of the lines before an offset, those up to the first prompt, those with a title, and those with one of the ids. */
function addBefore(index: SourceIndex, file: FileRanges, end: number, uuids: readonly string[]): void {
  const ids = uuids.map((uuid) => Buffer.from(uuid).toString("latin1"))
  const splitter = new LineSplitter()
  let number = 0
  const add = (line: Line): readonly SourceRecord[] => index.add({ ...line, number: ++number })
  let isStart = true
  for (let offset = 0; offset < end; offset += block.length) {
    const bytes = bufferOf(file.read(offset, Math.min(block.length, end - offset), block))
    let from = 0
    const lines: Iterable<Line> = isStart ? splitter.push(bytes) : []
    for (const line of lines) {
      const isNear = line.end < START
      // Behind that, only the prompt is added.
      const isFirst = (isNear ? add(line) : new SourceIndex().add(line)).some(isFirstPrompt)
      if (!isNear && (isFirst || isWanted(bufferOf(line.bytes), ids))) add(line)
      from = line.end - offset
      isStart = !isFirst
      if (isFirst) break
    }
    if (!isStart) for (const line of wantedLines(bytes.subarray(from), ids, splitter)) add(line)
  }
}

/** The lines that are wanted. Most are not: of these, only the ends become text. */
function* wantedLines(bytes: Buffer, ids: readonly string[], splitter: LineSplitter): Generator<Line> {
  const first = bytes.indexOf(LF) + 1
  const last = bytes.lastIndexOf(LF) + 1
  const mayBeGlued = bytes.includes(GLUE)
  for (const line of splitter.push(bytes.subarray(0, first))) if (isWanted(bufferOf(line.bytes), ids)) yield line
  for (let start = first, end: number; start < last; start = end) {
    end = bytes.indexOf(LF, start) + 1
    if (isWanted(bytes, ids, { start, end, mayBeGlued })) yield* linesOf(bytes.subarray(start, end))
  }
  yield* splitter.push(bytes.subarray(last))
}

/** Where a line is. */
interface LineRange {
  readonly start: number
  readonly end: number
  /** Whether it may be two records that are glued together. */
  readonly mayBeGlued: boolean
}

/** @param ids a character for each byte */
function isWanted(bytes: Buffer, ids: readonly string[], range?: LineRange): boolean {
  const { start = 0, end = bytes.length, mayBeGlued } = range ?? {}
  if (mayHaveTitle(bytes, start, end, mayBeGlued)) return true
  return ids.some((id) => bytes.subarray(start, end).includes(id, 0, "latin1"))
}

function isFirstPrompt({ role, promptKind, text = "", isSidechain }: SourceRecord): boolean {
  return role === "prompt" && isTyped(promptKind) && !isSidechain && text.trim() !== ""
}

/** @param mayBeGlued whether it may be two records that are glued together */
export function mayHaveTitle(bytes: Buffer, start: number, end: number, mayBeGlued = true): boolean {
  const textBetween = (from: number, to: number): string =>
    bytes.toString("latin1", Math.max(start, from), Math.min(to, end))
  if (!isOfConversation(bytes, start) && TITLE.test(textBetween(start, start + NEAR))) return true
  if (!mayBeGlued) return false
  const last = textBetween(end - NEAR, end)
  return last.includes(GLUE) && TITLE.test(last)
}

function isOfConversation(bytes: Buffer, start: number): boolean {
  for (let at = 0; at < OF_CONVERSATION.length; at++) if (bytes[start + at] !== OF_CONVERSATION[at]) return false
  return true
}

/** The lines that summaries name and that are not here: most belong to other sessions. A stronger title makes no difference of them. */
export function linesOfSummaries({ records }: SourceIndex): string[] {
  const titles = records.flatMap(({ title }) => title ?? [])
  const last = new Map(titles.map(({ kind, text }) => [kind, text]))
  if ([...last].some(([kind, text]) => kind !== "summary" && text !== "")) return []
  const known = new Set(records.map(({ uuid }) => uuid))
  return titles.flatMap(({ leaf }) => (leaf === undefined || known.has(leaf) ? [] : leaf))
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
