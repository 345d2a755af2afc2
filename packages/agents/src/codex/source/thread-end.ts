import type { SessionEntry } from "@treelog/session-core"
import {
  type EndOptions,
  type Json,
  LONGEST_END,
  lastLine,
  linesFrom,
  OpenedFile,
  objectIn,
  pathToLast,
  textIn,
} from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import { canonicalJson } from "../convert/item-id.js"
import type { SavedPath } from "../convert/path-state.js"
import { ThreadConverter } from "../convert/thread-converter.js"
import { threadHeader } from "../convert/thread-header.js"
import { tokenCounts } from "../convert/usage.js"
import { readRolloutLine } from "../rollout/rollout-line.js"
import type { Thread } from "./codex-home.js"

// Why the context is that of the whole thread. A compaction says all that the model gets from then on. What else decides about the lines
// behind it is the state of the turn before, which is read with them, and a few things that any line may have said: the tier of service, the sum of tokens,
// and that responses have records of their usage.
// A line that answers or takes back what is not here makes the whole thread necessary.

/** Where the lines begin that are read, and what those before say of their path. */
interface Start {
  readonly offset: number
  readonly path: SavedPath
}

/**
 * The path to where a thread stands, from the turn of its last compaction on. The ids of what precedes the compaction are not those of the whole.
 * @returns undefined where only the whole thread says the same
 * @throws SessionChangedError, SessionNotFoundError, StorageError
 */
export function pathOfEnd(
  fs: FsPort,
  { files: [first], steps, title }: Thread,
  { withParts }: EndOptions,
): readonly SessionEntry[] | undefined {
  const [step, ...others] = steps
  if (!step || others.length > 0 || step.file.isCompressed) return undefined
  // Only the beginning of the file says what was copied, and from which thread.
  const { base, forkedFrom } = step.file.head
  if (base || forkedFrom !== undefined || step.copyOf !== undefined) return undefined
  const file = new OpenedFile(fs, step.file.name)
  try {
    const start = startOf(file)
    if (!start) return undefined
    const converter = new ThreadConverter(threadHeader(first, title), first.name)
    converter.begin(step)
    converter.goOn({ writer: { path: start.path }, isHeaderSeen: true })
    for (const line of linesFrom(file, start.offset)) converter.push(line)
    const entries = converter.finish() as unknown as SessionEntry[]
    file.check()
    const path = pathToLast(entries)
    // It may have been taken back.
    const at = path.indexOf(entries.filter(({ type }) => type === "compaction").at(-1) as SessionEntry)
    if (converter.isLacking || at === -1) return undefined
    return withParts ? path.slice(at) : path
  } finally {
    file.close()
  }
}

function startOf(file: OpenedFile): Start | undefined {
  const last = (text: string, before: number, find: (payload: Json) => Json | undefined) =>
    lastLine(file, `"${text}"`, { before }, (line) => {
      const read = readRolloutLine(line)
      return read && (read.type === text || read.payload.type === text) ? find(read.payload) : undefined
    })
  const compaction = last("compacted", file.size, (payload) => payload)
  if (
    !compaction ||
    file.size - compaction.offset > LONGEST_END ||
    !Array.isArray(compaction.found.replacement_history)
  )
    return undefined
  const { offset: before } = compaction
  const text = canonicalJson(compaction.found)
  // Of compactions that say the same, the id has a number.
  if (last("compacted", before, (payload) => (canonicalJson(payload) === text ? payload : undefined))) return undefined
  const record = last("token_usage_record", before, (payload) => payload)
  const totalBefore = (place: number) =>
    last("token_count", place, (payload) => {
      const total = objectIn(objectIn(payload, "info") ?? {}, "total_token_usage")
      return total && tokenCounts(total).total > 0 ? total : undefined
    })
  const counted = record ?? totalBefore(before)
  const turn = last("turn_context", counted?.offset ?? before, (payload) => payload)
  if (!turn || file.size - turn.offset > LONGEST_END) return undefined
  const settings = last("thread_settings_applied", turn.offset, (payload) => objectIn(payload, "thread_settings"))
  const total = record ? undefined : totalBefore(turn.offset)
  return {
    offset: turn.offset,
    path: {
      serviceTier: settings && textIn(settings.found, "service_tier"),
      hasRecords: record !== undefined,
      ...(total && { total: tokenCounts(total.found) }),
    },
  }
}
