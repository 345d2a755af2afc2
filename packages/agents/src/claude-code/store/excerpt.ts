import { type Line, linesOf, parseLine } from "@treelog/session-core/adapter"
import { bufferOf, OpenedFile, piecesBackward, textsIn, wantedLines } from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import { isTyped } from "../source/prompt-text.js"
import { headOf, type RecordHead, TITLE_FIELDS } from "../source/record-head.js"
import { CLAUDE_RECORDS, SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"

type ParsedLine = ReturnType<typeof parseLine>

/** The last two messages are looked for in so much of the end of a file, and the lines before the first prompt in so much of its start. Bytes. */
const FAR = 8 * 1024 * 1024
/** Memory for what is read at once of the end of a file: new memory for each takes longer than reading. */
const block = /* @__PURE__ */ Buffer.allocUnsafeSlow(64 * 1024)
/** Of lines with a title, and with the repository of a worktree. */
const TITLE = /* @__PURE__ */ new RegExp(`"type"\\s*:\\s*"(?:${[...TITLE_FIELDS.keys(), "worktree-state"].join("|")})"`)
/** How most lines begin, but no title. */
const OF_CONVERSATION = /* @__PURE__ */ Buffer.from('{"parentUuid":')
/** The type of a title is so near to the start of its line or, of one that is glued to another, to the end. Bytes. */
const NEAR = 512
/** Stands between two records in a line. */
const GLUE = "}{"

/** Lines of a file. Lines that are read from its end have no numbers of the file. */
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
export function excerptOf(fs: FsPort, path: string): Excerpt {
  const file = new OpenedFile(fs, path)
  try {
    const { offset, lines, hasEnd } = fileEnd(file)
    const indexWith = (uuids: readonly string[]): SourceIndex => {
      const index = new SourceIndex()
      addBefore(index, file, offset, uuids)
      for (const { line, parsed } of [...lines].reverse()) index.add(line, parsed)
      return index
    }
    const index = indexWith([])
    const named = linesOfSummaries(index)
    return { index: named.length > 0 ? indexWith(named) : index, hasEnd }
  } finally {
    file.close()
  }
}

interface End {
  /** Of its first line. Bytes. */
  readonly offset: number
  /** The last first. */
  readonly lines: { readonly line: Line; readonly parsed: ParsedLine }[]
  readonly hasEnd: boolean
}

/** The end of a file, with the last two messages at least, unless they are too far from it. */
function fileEnd(file: OpenedFile): End {
  const lines: End["lines"] = []
  const messages = new Set<unknown>()
  const { size } = file
  let offset = size
  // No line before them has such a number.
  for (const piece of piecesBackward(file, size, Math.max(0, size - FAR), block))
    for (const line of [...linesOf(piece.bytes, { line: size, offset: piece.offset })].reverse()) {
      const parsed = parseLine(line, CLAUDE_RECORDS)
      lines.push({ line: parsed.records.length > 0 ? line : { ...line, bytes: new Uint8Array(line.bytes) }, parsed })
      offset = line.offset
      for (const { value, place } of parsed.records) {
        const head = headOf(value, place.length)
        if (isSaid(head) && value.isSidechain !== true) messages.add(head.key ?? head)
      }
      if (messages.size > 1) return { offset, lines, hasEnd: true }
    }
  return { offset, lines, hasEnd: size <= FAR }
}

/** Whether it is a message that says how a turn ended. Results say it with the reply before them. */
function isSaid({ role, promptKind }: RecordHead): boolean {
  const isPrompt = role === "prompt" && (isTyped(promptKind) || promptKind === "interruption")
  return isPrompt || role === "queued" || role === "reply"
}

/** Adds, of the lines before an offset, those up to the first prompt, those with a title, and those with one of the ids. */
function addBefore(index: SourceIndex, file: OpenedFile, end: number, uuids: readonly string[]): void {
  const wantedIn = (bytes: Buffer) => {
    const [hasTitle, hasId] = [titlesIn(bytes), textsIn(bytes, uuids)]
    return (from: number, to: number): boolean => hasTitle(from, to) || hasId(from, to)
  }
  let isStart = true
  const wantedNowIn = (bytes: Buffer) => {
    const isWanted = wantedIn(bytes)
    return (from: number, to: number): boolean => isStart || isWanted(from, to)
  }
  for (const line of wantedLines(file, end, wantedNowIn)) {
    const isNear: boolean = !isStart || line.end < FAR
    const records: readonly SourceRecord[] = isNear ? index.add(line) : new SourceIndex([line]).records
    if (isStart) isStart = !records.some(isFirstPrompt)
    // Of those that are farther, only the prompt is added.
    if (!isNear && (!isStart || wantedIn(bufferOf(line.bytes))(0, line.bytes.length))) index.add(line)
  }
}

function isFirstPrompt({ role, promptKind, text = "", isSidechain }: SourceRecord): boolean {
  return role === "prompt" && isTyped(promptKind) && !isSidechain && text.trim() !== ""
}

/** Whether a line of these may have a title, by its start and its end. */
export function titlesIn(bytes: Buffer): (start: number, end: number) => boolean {
  const mayBeGlued = bytes.includes(GLUE)
  return (start, end) => {
    const textBetween = (from: number, to: number): string =>
      bytes.toString("latin1", Math.max(start, from), Math.min(to, end))
    if (!isOfConversation(bytes, start) && TITLE.test(textBetween(start, start + NEAR))) return true
    const last = mayBeGlued ? textBetween(end - NEAR, end) : ""
    return last.includes(GLUE) && TITLE.test(last)
  }
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
