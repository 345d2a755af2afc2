import type { SessionEntry } from "@treelog/session-core"
import {
  digestOf,
  type EndOptions,
  type FileNotes,
  isObject,
  type Json,
  type LineSearch,
  LONGEST_END,
  lastLine,
  lastLines,
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
// behind it is the state of the turn before, which is read with them, and what any line may have said: the tier of service, and the sum of tokens.
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
  notes?: FileNotes,
): readonly SessionEntry[] | undefined {
  const [step, ...others] = steps
  if (!step || others.length > 0 || step.file.isCompressed) return undefined
  // Only the beginning of the file says what was copied, and from which thread.
  const { base, forkedFrom } = step.file.head
  if (base || forkedFrom !== undefined || step.copyOf !== undefined) return undefined
  const file = new OpenedFile(fs, step.file.name)
  try {
    const start = startOf(file, notes)
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

/** Where a file has records of usage, one stands so near before each place, as a rule. Bytes. */
const NEAR = 1024 * 1024

/** The kind of the note that says where the end of a file begins. */
const END = "end"

/** What stands before a compaction decides, so that it is searched once for each. */
function startOf(file: OpenedFile, notes: FileNotes | undefined): Start | undefined {
  const compaction = lastLine(file, searchOf("compacted", file.size))
  const { offset: before, found: compacted } = compaction ?? { offset: 0 }
  if (!compacted || file.size - before > LONGEST_END || !Array.isArray(compacted.replacement_history)) return undefined
  const text = canonicalJson(compacted)
  const version = digestOf(file.beginning(before), text)
  const noted = notes?.get(file.path, version, END) as { readonly start: Start | null } | undefined
  const isNoted = noted && (noted.start === null || isStart(noted.start, before))
  const start = isNoted ? noted.start : searchedStart(file, before, text)
  if (!isNoted) {
    file.check()
    notes?.put(file.path, version, { start }, END)
  }
  return start && file.size - start.offset <= LONGEST_END ? start : undefined
}

function isStart(start: unknown, before: number): boolean {
  return isObject(start) && Number.isInteger(start.offset) && Number(start.offset) <= before && isObject(start.path)
}

/** @param before the offset of the compaction @param text of it */
function searchedStart(file: OpenedFile, before: number, text: string): Start | null {
  const isSame = (payload: Json): boolean => canonicalJson(payload) === text
  const totalBefore = (place: number) => lastLine(file, searchOf("token_count", place, hasTotal))
  const record = lastLine(file, searchOf("token_usage_record", before), Math.max(0, before - NEAR))
  const counted = (record ?? totalBefore(before))?.offset ?? before
  const turn = lastLine(file, searchOf("turn_context", counted))
  // What may be near the beginning of the file, or nowhere, is looked for once.
  const [same, settings] = lastLines(file, [
    searchOf("compacted", before, isSame),
    searchOf("thread_settings_applied", turn?.offset ?? 0, hasSettings),
  ])
  // Of compactions that say the same, the id has a number.
  if (same || !turn) return null
  const total = totalBefore(turn.offset)
  return {
    offset: turn.offset,
    path: {
      serviceTier: settings && textIn(objectIn(settings.found, "thread_settings") ?? {}, "service_tier"),
      ...(total && { totals: [tokenCounts(totalIn(total.found))] }),
    },
  }
}

/** Looks for the payload of a record, or of an event, by its type. */
export function searchOf(type: string, before: number, isWanted = (_: Json): boolean => true): LineSearch<Json> {
  return {
    text: `"${type}"`,
    before,
    find: (line) => {
      const read = readRolloutLine(line)
      const isOfType = read && (read.type === type || read.payload.type === type)
      return isOfType && isWanted(read.payload) ? read.payload : undefined
    },
  }
}

function hasSettings(payload: Json): boolean {
  return objectIn(payload, "thread_settings") !== undefined
}

function hasTotal(payload: Json): boolean {
  return tokenCounts(totalIn(payload)).total > 0
}

function totalIn(payload: Json): Json {
  return objectIn(objectIn(payload, "info") ?? {}, "total_token_usage") ?? {}
}
