import type { SessionInfo, SessionStatus } from "@treelog/session-core"
import { type Line, linesOf } from "@treelog/session-core/adapter"
import { type FsPort, readWhole, withStorageErrors } from "@treelog-internal/fs"
import { isPrompt, promptText } from "../convert/item-content.js"
import { millis } from "../convert/path-writer.js"
import { threadHeader } from "../convert/thread-header.js"
import { type RolloutLine, readRolloutLine } from "../rollout/rollout-line.js"
import { noHead } from "./codex-errors.js"
import type { Thread } from "./codex-home.js"
import { opened, rolloutLines } from "./read-rollout.js"
import type { HeadedRollout } from "./rollout-heads.js"

/** The first prompt is looked for in so much of the thread. Bytes, uncompressed. */
const HEAD = 1024 * 1024
/** The end that is read, and the one that is read where that says nothing. Bytes. */
const TAILS = [64 * 1024, 1024 * 1024]
/** Bytes that are read at once. */
const BLOCK = 64 * 1024

/**
 * What a list shows of a thread, from the head and the tail of its files. Of a compressed file only the head is read, since its
 * tail comes only after all the rest: how its last turn ended is then not known, and it counts as modified when the file was.
 * @throws InvalidSessionError, StorageError
 */
export async function threadFacts(fs: FsPort, thread: Thread): Promise<Omit<SessionInfo, "path">> {
  const [first] = thread.files
  const last = thread.files.at(-1)
  if (!first || !last || !first.hasHead) throw noHead(first?.path ?? thread.id)
  const { id, timestamp, cwd, title, parentSession } = threadHeader(first, thread.title)
  const end = last.path.endsWith(".zst") ? undefined : await endOf(fs, last)
  return {
    id,
    cwd,
    ...(title !== undefined && { name: title }),
    ...(parentSession !== undefined && { parentSession }),
    created: millis(timestamp),
    modified: end?.modified || last.modified,
    firstMessage: await firstPrompt(fs, thread),
    size: thread.files.reduce((sum, { size }) => sum + size, 0),
    status: end?.status ?? "unknown",
  }
}

async function firstPrompt(fs: FsPort, { steps }: Thread): Promise<string> {
  let read = 0
  for (const { file, end } of steps) {
    for await (const line of rolloutLines(fs, file.name, BLOCK)) {
      if ((end !== undefined && line.end > end) || read > HEAD) break
      read += line.bytes.length
      const item = itemOf(line)
      if (item?.payload.type === "message" && item.payload.role === "user" && isPrompt(item.payload))
        return promptText(item.payload)
    }
  }
  return ""
}

interface End {
  readonly status: SessionStatus
  /** Milliseconds since 1970; 0 where it is not known. */
  readonly modified: number
}

async function endOf(fs: FsPort, { path, size }: HeadedRollout): Promise<End | undefined> {
  for (const length of TAILS) {
    const end = endIn(await tailLines(fs, path, Math.max(0, size - length)))
    if (end || length >= size) return end
  }
  return undefined
}

async function tailLines(fs: FsPort, path: string, start: number): Promise<Line[]> {
  const { file, stat } = await opened(fs, path)
  try {
    const bytes = new Uint8Array(Math.max(0, Number(stat.size) - start))
    const length = await withStorageErrors(path, "read", () => readWhole(file, bytes, start))
    const lines = [...linesOf(bytes.subarray(0, length))]
    // The first line is only the end of one.
    return start > 0 ? lines.slice(1) : lines
  } finally {
    await file.close()
  }
}

function endIn(lines: readonly Line[]): End | undefined {
  let status: SessionStatus | undefined
  for (const line of [...lines].reverse()) {
    const item = itemOf(line)
    const said = item && statusAfter(item)
    status ??= said
    if (!item || status === undefined) continue
    // The time of the last message of the user or the model.
    if (said !== undefined && !String(item.payload.type).endsWith("_output"))
      return { status, modified: millis(item.timestamp ?? "") }
  }
  return status === undefined ? undefined : { status, modified: 0 }
}

/** How a turn stands that ends with this item; undefined for what is no message of a turn. */
function statusAfter({ payload }: RolloutLine): SessionStatus | undefined {
  const type = String(payload.type)
  if (type.endsWith("_call") || type.endsWith("_output")) return "interrupted"
  if (type === "reasoning") return "complete"
  if (type !== "message") return undefined
  if (payload.role === "assistant") return "complete"
  return payload.role === "user" && isPrompt(payload) ? "pending" : undefined
}

function itemOf(line: Line): RolloutLine | undefined {
  // Most lines are none, and need not be parsed.
  if (line.text !== undefined && !line.text.includes("response_item") && line.text.includes('"payload"'))
    return undefined
  const read = readRolloutLine(line)
  return read && "line" in read && read.line.type === "response_item" ? read.line : undefined
}
