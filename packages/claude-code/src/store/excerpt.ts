import { type Line, LineSplitter, linesOf } from "@treelog/session-core/adapter"
import type { FileRanges, FsPort } from "@treelog-internal/fs"
import { recordsIn, type SeenRecord } from "../source/source-index.js"
import { withFile } from "./file-bytes.js"

/** So much of the end of a file is read, and more where that has no two messages. Bytes. */
const ENDS = [64 * 1024, 1024 * 1024, 8 * 1024 * 1024]
/** Of the lines before the first prompt, those in so much of the file. Bytes. */
const START = 8 * 1024 * 1024
/** Memory for what is read at once: new memory for each block takes longer than reading. */
const block = /* @__PURE__ */ Buffer.allocUnsafeSlow(1024 * 1024)
const TITLE = /"type"\s*:\s*"(?:custom-title|agent-name|ai-title|summary)"/
/** How most lines begin, but no title. */
const OF_CONVERSATION = '{"parentUuid":'
/** The type of a title is so near to the start of its line or, of one that is glued to another, to the end. Bytes. */
const NEAR = 512
const LF = /* @__PURE__ */ Buffer.from("\n")

/** Lines of a file. */
export interface Excerpt {
  readonly bytes: Uint8Array
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
    const { offset, bytes, hasEnd } = endOf(file, size)
    const excerpt = Buffer.concat([...linesBefore(file, offset), bytes])
    const named = linesOfSummaries(excerpt)
    const all = named.length > 0 ? Buffer.concat([...linesBefore(file, offset, named), bytes]) : excerpt
    return { bytes: all, hasEnd }
  })
}

/** The end of a file, with the last two messages at least, unless they are too far from it. */
function endOf(file: FileRanges, size: number): Excerpt & { readonly offset: number } {
  let end: ReturnType<typeof endOf> = { offset: size, bytes: new Uint8Array(), hasEnd: false }
  for (const length of ENDS) {
    const start = Math.max(0, size - length)
    const bytes = file.read(start, size - start)
    const from = (offset: number, hasEnd: boolean) => ({ offset, bytes: bytes.subarray(offset - start), hasEnd })
    // The first line may be only the end of one.
    const lines = [...linesOf(bytes, { line: 1, offset: start })].slice(start > 0 ? 1 : 0)
    const messages = new Set<unknown>()
    for (const line of lines.reverse()) {
      for (const record of recordsIn(line)) if (isSaid(record)) messages.add(record.head.key ?? record)
      if (messages.size > 1) return from(line.offset, true)
    }
    if (start === 0) return from(0, true)
    end = from(lines.at(-1)?.offset ?? size, false)
  }
  return end
}

/** Whether it is a message that says how a turn ended. Results say it with the reply before them. */
function isSaid({ value, head: { role, promptKind } }: SeenRecord): boolean {
  const isPrompt = role === "prompt" && (isTyped(promptKind) || promptKind === "interruption")
  return (isPrompt || role === "queued" || role === "reply") && value.isSidechain !== true
}

/** Of the lines before an offset: those up to the first prompt, those with a title, and those with one of the ids. */
function linesBefore(file: FileRanges, end: number, uuids: readonly string[] = []): Uint8Array[] {
  const found: Uint8Array[] = []
  const splitter = new LineSplitter()
  let isStart = true
  for (let offset = 0; offset < end; offset += block.length)
    for (const line of splitter.push(file.read(offset, Math.min(block.length, end - offset), block))) {
      const isFirst = isStart && recordsIn(line).some(isFirstPrompt)
      const isNear = isStart && line.end < START
      if (isNear || isFirst || mayHaveTitle(line) || uuids.some((uuid) => bufferOf(line.bytes).includes(uuid)))
        found.push(new Uint8Array(line.bytes), LF)
      if (isFirst) isStart = false
    }
  return found
}

function isFirstPrompt({ value, head: { role, promptKind, text = "" } }: SeenRecord): boolean {
  return role === "prompt" && isTyped(promptKind) && value.isSidechain !== true && text.trim() !== ""
}

function isTyped(kind: SeenRecord["head"]["promptKind"]): boolean {
  return kind === "typed" || kind === "shell"
}

function mayHaveTitle({ bytes, text = bufferOf(bytes).toString("latin1") }: Line): boolean {
  const end = text.slice(-NEAR)
  return (
    (!text.startsWith(OF_CONVERSATION) && TITLE.test(text.slice(0, NEAR))) || (end.includes("}{") && TITLE.test(end))
  )
}

/** The lines that summaries name and that are not here: most belong to other sessions. */
function linesOfSummaries(excerpt: Buffer): string[] {
  if (!excerpt.includes('"summary"')) return []
  const records = [...linesOf(excerpt)].flatMap(recordsIn)
  const known = new Set(records.map(({ value }) => value.uuid))
  const named = records.flatMap(({ head: { title } }) => (title?.source === "summary" ? (title.leaf ?? []) : []))
  return named.filter((uuid) => !known.has(uuid))
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
