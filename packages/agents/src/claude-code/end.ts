import type { SessionEntry } from "@treelog/session-core"
import { pathToLast } from "@treelog-internal/agent-files"
import { type ClaudeCodeOptions, convertRecords } from "./convert.js"
import { heldFrom } from "./link/hold-back.js"
import { NODES, namesNoOther } from "./link/names-no-other.js"
import { isCommand, isTyped } from "./source/prompt-text.js"
import type { SourceIndex } from "./source/source-index.js"
import { isPlaceId, type SourceRecord } from "./source/source-record.js"

// Why the context is that of the whole file. Below a compaction, records name what they hang on, answer, edit or go on from by its id. Where
// all of these are here, the same rules give the same entries; what no record names decides about nothing that stands behind it, but for
// the few rules that look at the whole file, which `isAlone` asks for. Claude Code itself reads no further back, either.

/** Each is looked for in the file: the command to compact and what it printed are three. */
const MOST_OLD = 8

/** The end of a file. */
export interface FileEnd {
  /** The records from its last compaction on, or from the first message that this kept. */
  readonly index: SourceIndex
  /** Whether a record with the role and the time of this one stands before those. */
  readonly isBefore: (record: SourceRecord) => boolean
}

/**
 * The path that the end of a file becomes: all that a context has.
 * @param options with the parts that may belong to it, where these are wanted
 * @returns undefined where what stands before may say something of them
 */
export function convertEnd(
  { index, isBefore }: FileEnd,
  options: ClaudeCodeOptions,
): readonly SessionEntry[] | undefined {
  const isOwn = (record: SourceRecord): boolean => !record.isSidechain
  const all = index.records
  const heldAt = options.isComplete ? all.length : heldFrom(all, isOwn)
  const records = all.slice(0, heldAt).filter(isOwn)
  const isEnough = heldAt !== undefined && isAlone(records, isBefore)
  if (!isEnough) return undefined
  return pathToLast([...convertRecords(index, options).entries]).filter(isKnown)
}

/** Whether a title is a new one is not, nor the number of a line, which is in the id of what has none: a context needs only edits of these. */
function isKnown({ type, id }: SessionEntry): boolean {
  return type !== "session_info" && (type === "context_edit" || !isPlaceId(id))
}

/** Whether the records, from a compaction or the first message that it kept on, say all that decides about them. */
function isAlone(records: readonly SourceRecord[], isBefore: FileEnd["isBefore"]): boolean {
  const last = records.map(({ role }) => role).lastIndexOf("boundary")
  const behind = records.slice(last + 1)
  const { uuid: compaction, millis = Number.NaN } = records[last] ?? {}
  const isSummarized = behind.some(({ role, parent }) => role === "summary" && parent === compaction)
  // A message that was kept is written again, with its time.
  const old = behind.filter(
    (record) => NODES.has(record.role) && record.role !== "summary" && !(record.millis > millis),
  )
  const kinds = records.map(({ promptKind }) => promptKind)
  // Where nothing was typed, the first command of the file counts as a prompt.
  const isTypedIn = kinds.some(isTyped) || !kinds.some(isCommand)
  // It says what the model is.
  const isAnswered = behind.some(({ role, model }) => role === "reply" && model !== undefined)
  const isRecorded = records.some(({ kind }) => kind.startsWith("api-request"))
  return (
    isSummarized &&
    isAnswered &&
    isTypedIn &&
    !isRecorded &&
    old.length <= MOST_OLD &&
    !old.some(isBefore) &&
    namesNoOther(records, (_, at) => at === 0) &&
    !records.some(takesFromQueue)
  )
}

/** Whether it takes out of the queue whatever waits longest. */
function takesFromQueue(record: SourceRecord): boolean {
  if (record.role !== "queue") return false
  const { value } = record
  return value.operation === "remove" && typeof value.content !== "string"
}
