import type { SessionInfo } from "@treelog/session-core"
import { FactCollector, type Line, linesOf, repositoryIn, type SessionFacts } from "@treelog/session-core/adapter"
import { bufferOf, type Json, lastLine, OpenedFile } from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import { spokenItem } from "../convert/item-content.js"
import { millis } from "../convert/path-writer.js"
import { nameSetFor, ThreadConverter } from "../convert/thread-converter.js"
import { threadHeader } from "../convert/thread-header.js"
import { planThread, type RolloutFile } from "../convert/thread-plan.js"
import { isTyped, typedText } from "../convert/user-text.js"
import { readRolloutLine } from "../rollout/rollout-line.js"
import type { Thread } from "./codex-home.js"
import { rolloutReader } from "./read-rollout.js"
import { type HeadedRollout, noHead } from "./rollout-heads.js"
import { searchOf } from "./thread-end.js"

/** The first prompt is looked for in so much of the thread. Bytes, uncompressed. */
const HEAD = 1024 * 1024
/** The end that is read, and those that are read where that says nothing. Bytes. */
const TAILS = [16 * 1024, 64 * 1024, 1024 * 1024]
const LONGEST_TAIL = Math.max(...TAILS)
/** Bytes that are read at once. */
const BLOCK = 64 * 1024

/**
 * What a list shows of a thread, from the head and the tail of its files. Of a compressed file only the head is read, since its
 * tail comes only after all the rest: how its last turn ended is then not known, and it counts as modified when the file was.
 * @throws InvalidSessionError, StorageError
 */
export async function threadFacts(fs: FsPort, thread: Thread): Promise<Omit<SessionInfo, "path">> {
  const [first] = thread.files
  if (!first.hasHead) throw noHead(first)
  const header = threadHeader(first, thread.title)
  const { id, timestamp, cwd, title = nameInLines(fs, thread), parentSession } = header
  const repository = repositoryIn(header)
  const end = threadEnd(fs, thread)
  const source = header.source as Json
  const kind = source.archived === true ? "archived" : (source.kind as SessionInfo["kind"])
  return {
    id,
    cwd,
    ...(repository !== "" && { repository }),
    ...(title && { name: title }),
    ...(parentSession !== undefined && { parentSession }),
    created: millis(timestamp),
    modified: end ? end.modified || millis(timestamp) : Math.floor(thread.files.at(-1)?.modified ?? 0),
    firstMessage: await firstPrompt(fs, thread),
    size: thread.files.reduce((sum, { size }) => sum + size, 0),
    status: end?.status ?? "unknown",
    ...(kind !== undefined && { kind }),
  }
}

async function firstPrompt(fs: FsPort, { steps }: Thread): Promise<string> {
  const names = steps.map(({ file }) => file.name)
  const linesIn = await rolloutReader(fs, names, { block: BLOCK })
  let read = 0
  for (const { file, end } of steps) {
    for (const line of linesIn(file.name)) {
      if ((end !== undefined && line.end > end) || read > HEAD) break
      read += line.bytes.length
      const item = itemOf(line)
      const text = item?.type === "message" && item.role === "user" && isTyped(item) ? typedText(item) : ""
      if (text !== "") return text
    }
  }
  return ""
}

/** The last name that lines of the thread give it, as versions of early 2026 wrote them. Compressed files are not read for it. */
function nameInLines(fs: FsPort, { id, files }: Thread): string | undefined {
  for (const { name } of files.filter(({ isCompressed }) => !isCompressed).reverse()) {
    const file = new OpenedFile(fs, name)
    try {
      const isNaming = (payload: Json): boolean => nameSetFor(id, payload) !== undefined
      const last = lastLine(file, searchOf("thread_name_updated", file.size, isNaming))
      if (last) return nameSetFor(id, last.found)
    } finally {
      file.close()
    }
  }
  return undefined
}

/** Its time is 0 where it is not known. */
type End = Pick<SessionFacts, "status" | "modified">

/** Undefined where it is not known. */
function threadEnd(fs: FsPort, { steps }: Thread): End | undefined {
  for (const { file, end } of [...steps].reverse()) {
    if (file.isCompressed) return undefined
    const size = end ?? (file as HeadedRollout).size
    const found = endBefore(fs, file, size)
    // What a fork or a revert goes on from is in the step before.
    if (found || size > LONGEST_TAIL) return found
  }
  return { status: "unknown", modified: 0 }
}

/** How a thread ends before a place in a file. Undefined where nothing was said so near before it. @param size bytes before it */
function endBefore(fs: FsPort, rollout: RolloutFile, size: number): End | undefined {
  const file = new OpenedFile(fs, rollout.name)
  try {
    for (const length of TAILS) {
      const start = Math.max(0, size - length)
      const lines = [...linesOf(file.read(start, Math.max(0, Math.min(size, file.size) - start)))]
      // The first line is only the end of one.
      const found = endIn(start > 0 ? lines.slice(1) : lines, rollout, start === 0)
      if (found || start === 0) return found
    }
    return undefined
  } finally {
    file.close()
  }
}

/** How a thread ends and when, as the whole of it would say it. Undefined where the last message may have begun before these lines. */
function endIn(lines: readonly Line[], file: RolloutFile, isWhole: boolean): End | undefined {
  let count = 0
  const converter = new ThreadConverter(threadHeader(file, undefined), file.name, () => `${count++}`)
  for (const step of planThread([file], new Map())) converter.begin(step)
  for (const line of lines) converter.push(line)
  const entries = converter.finish()
  const facts = new FactCollector()
  for (const entry of entries) facts.addEntry(entry)
  const { status, modified } = facts.facts({ size: 0, modified: 0, identity: "" })
  // Only results may be among them, which say no time.
  const isCut = !isWhole && (modified === 0 || entries.map(({ type }) => type).lastIndexOf("message") === 0)
  return isCut || status === "unknown" ? undefined : { status, modified }
}

function itemOf(line: Line): Json | undefined {
  // Most lines are none, and need not be parsed.
  const bytes = bufferOf(line.bytes)
  const isItem = ["response_item", "realtime_item"].some((type) => bytes.includes(type))
  if (!isItem && bytes.includes('"payload"')) return undefined
  const read = readRolloutLine(line)
  return read?.type === "realtime_item"
    ? spokenItem(read.payload)
    : read?.type === "response_item"
      ? read.payload
      : undefined
}
