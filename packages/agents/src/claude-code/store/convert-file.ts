import { basename } from "node:path"
import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import {
  type Checkpoint,
  type Conversion,
  type EndOptions,
  factsOfExcerpt,
  type Json,
  lastLine,
  OpenedFile,
  pathToLast,
  type SourceSession,
  type SourceUsage,
  wholeFile,
} from "@treelog-internal/agent-files"
import { type FsPort, lstatIfThere } from "@treelog-internal/fs"
import {
  type ClaudeCodeOptions,
  convertRecords,
  LONGEST_RESULT,
  type PartSource,
  resumeRecords,
  type SessionConversion,
} from "../convert.js"
import { convertEnd } from "../end.js"
import type { FileState } from "../going-on.js"
import type { Part } from "../parts.js"
import { SourceIndex } from "../source/source-index.js"
import type { BytesAt } from "../source/source-record.js"
import { usageEntries } from "../usage.js"
import { backgroundParent } from "./background-parent.js"
import { type BesideFile, besideFiles, HEAD, isPart, isSubagent } from "./beside-files.js"
import { excerptOf, linesOfSummaries } from "./excerpt.js"
import { notedBeside } from "./noted-beside.js"
import { isOfFolder } from "./project-folders.js"
import { endOf } from "./read-end.js"
import { usageIndex } from "./usage-lines.js"

/**
 * Nothing is added any more to a file that has not changed for so long, as where Claude Code was killed while it wrote: then its last reply
 * is shown as it is. Milliseconds.
 */
const SETTLES_AFTER = 5 * 60_000

/** @param modified milliseconds since 1970 */
export function isSettled(modified: number): boolean {
  return Date.now() - modified >= SETTLES_AFTER
}

/** So much of a file is converted again when it grows: what is written next may have to do with it. Bytes. */
const OPEN = 128 * 1024

/** What a conversion kept of a file. */
interface KeptFile extends FileState {
  /** Of the bytes before the place. */
  readonly mark: string
  /** The files of its parts. */
  readonly beside: readonly BesideFile[]
}

/**
 * Converts a session with what is beside it.
 * @param from where to go on, if what stands before was not changed
 * @param open bytes at the end behind which a later conversion never goes on
 * @throws InvalidSessionError, SessionChangedError, SessionNotFoundError, StorageError
 */
export async function convertFile(fs: FsPort, path: string, from?: Checkpoint, open = OPEN): Promise<Conversion> {
  const beside = await besideFiles(fs, path)
  const isLeft = beside.some(isSubagent) && (await lstatIfThere(fs, path)) === undefined
  // Records are read as they are asked for; it is closed behind what is iterated.
  const file = isLeft ? undefined : new OpenedFile(fs, path)
  try {
    const forkedFrom = file && (await backgroundParent(fs, path, file.read(0, Math.min(HEAD, file.size))))
    const isComplete = !file || isSettled(file.modified)
    const options = { ...notedBeside(fs, path), name: basename(path, ".jsonl"), path, forkedFrom, isComplete }
    const resumed =
      file && from && resumeFile(fs, file, beside, options, { from: from.state as unknown as KeptFile, open })
    const session = resumed ?? convertWhole(fs, file, beside, options, open)
    let kept: KeptFile | undefined
    function* entries(): Generator<SessionEntry> {
      for (const entry of session.entries) {
        keep()
        yield entry
      }
      keep()
    }
    /** While the file is open. */
    const keep = (): void => {
      const state = file && session.stateToResume()
      if (state && kept?.offset !== state.offset) kept = keptFile(file, beside, state)
    }
    return {
      get report() {
        return session.report()
      },
      header: session.header,
      goesOn: resumed !== undefined,
      entries: whileSame(entries(), file),
      get checkpoint() {
        return kept && { entries: kept.entries, state: () => kept as unknown as Json }
      },
    }
  } catch (error) {
    file?.close()
    throw error
  }
}

type FileOptions = Omit<ClaudeCodeOptions, "parts">

function convertWhole(
  fs: FsPort,
  file: OpenedFile | undefined,
  beside: readonly BesideFile[],
  options: FileOptions,
  open: number,
): SessionConversion {
  const index = new SourceIndex(file?.lines(), file && bytesOf(file, KEPT))
  const placeIn = file && ([1, file.size - open] as const)
  return convertRecords(index, { ...options, parts: partsOf(fs, beside) }, { placeIn })
}

/** Undefined where the file, or a part that was converted, is another. */
function resumeFile(
  fs: FsPort,
  file: OpenedFile,
  beside: readonly BesideFile[],
  options: FileOptions,
  { from, open }: { readonly from: KeptFile; readonly open: number },
): SessionConversion | undefined {
  const { line, offset, first } = from
  const now = new Map(beside.map((one) => [one.name, one]))
  const isSame = ({ name, size, modified }: BesideFile): boolean =>
    now.get(name)?.size === size && now.get(name)?.modified === modified
  if (file.size < offset || file.beginning(offset) !== from.mark || !from.beside.every(isSame)) return undefined
  const converted = new Set(from.parts)
  const parts = partsOf(
    fs,
    beside.filter(({ name }) => !converted.has(name)),
  )
  const bytesAt = (at: number, length: number) => file.read(at, length)
  const index = new SourceIndex(file.lines({ line, offset }), bytesAt, { first, lastCwd: from.earlier.lastCwd })
  // Moved on by so much at a time, since all that is known of it is written again.
  const placeIn = [offset + Math.ceil(open / 2) + 1, file.size - open] as const
  return resumeRecords(index, { ...options, parts }, { from, placeIn })
}

function keptFile(file: OpenedFile, beside: readonly BesideFile[], state: FileState): KeptFile {
  const parts = new Set(state.parts)
  return { ...state, mark: file.beginning(state.offset), beside: beside.filter(({ name }) => parts.has(name)) }
}

/**
 * The path that the end of a session becomes, or without its parts all of it.
 * @throws SessionChangedError, SessionNotFoundError, StorageError, InvalidSessionError
 */
export async function pathOfEnd(
  fs: FsPort,
  path: string,
  { withParts }: EndOptions,
): Promise<readonly SessionEntry[] | undefined> {
  if (!(await lstatIfThere(fs, path))?.size) return undefined
  const beside = withParts ? await besideFiles(fs, path) : []
  const file = new OpenedFile(fs, path)
  try {
    const end = endOf(file)
    const { millis: start } = end?.index.records[0] ?? {}
    // What was not written since then belongs to what stands before.
    const behind = end ? beside.filter(({ modified }) => !(modified / 1e6 < Number(start))) : []
    const parts = partsOf(fs, behind)
    const is = { isComplete: isSettled(file.modified), isContext: !withParts }
    const options = { name: basename(path, ".jsonl"), path, parts, ...is }
    const entries = (end && convertEnd(end, options)) ?? (withParts ? undefined : pathOfAll(file, options))
    file.check()
    return entries
  } finally {
    file.close()
  }
}

/** Files up to so many bytes are held in memory as they are parsed, when all of them is wanted there. */
const HELD = 256 * 1024 * 1024
/** Files up to so many bytes are held in memory while they are converted: entries are written as they come. */
const KEPT = 4 * 1024 * 1024

/** How records of a file are read again; undefined where they are held. */
function bytesOf(file: OpenedFile, held: number): BytesAt | undefined {
  return file.size > held ? (offset, length) => file.read(offset, length) : undefined
}

function pathOfAll(file: OpenedFile, options: ClaudeCodeOptions): SessionEntry[] {
  return pathToLast([...convertRecords(new SourceIndex(file.lines(), bytesOf(file, HELD)), options).entries])
}

/** What a session used, from the lines that decide about it. @throws SessionChangedError, SessionNotFoundError, StorageError, InvalidSessionError */
export async function usageOfFile(fs: FsPort, path: string): Promise<SourceUsage | undefined> {
  const beside = (await besideFiles(fs, path)).filter(isSubagent)
  // Where only sub-agents are left, they say all.
  if (fs.lstatSync(path) === undefined) return undefined
  const file = new OpenedFile(fs, path)
  const opened = [file]
  try {
    const forkedFrom = await backgroundParent(fs, path, file.read(0, Math.min(HEAD, file.size)))
    const isComplete = isSettled(file.modified)
    const index = usageIndexOf(file, isComplete)
    const agents: Part[] = []
    for (const { name, path } of beside) {
      const agent = new OpenedFile(fs, path)
      opened.push(agent)
      agents.push({ name, index: usageIndex(agent), isFile: true })
    }
    const options = { ...notedBeside(fs, path), name: basename(path, ".jsonl"), path, forkedFrom, isComplete }
    const usage = usageEntries(index, agents, options)
    for (const one of opened) one.check()
    return usage
  } finally {
    for (const one of opened) one.close()
  }
}

/** The records of a session that decide about its usage, with those that only the others show to be needed. */
function usageIndexOf(file: OpenedFile, isComplete: boolean): SourceIndex {
  const withEnd = !isComplete
  let index = usageIndex(file, { withEnd })
  const texts = linesOfSummaries(index)
  if (texts.length > 0) index = usageIndex(file, { texts, withEnd })
  if (!isOfFolder(index.first.cwd ?? "", file.path)) {
    const find = (line: Line): string | undefined => new SourceIndex([line]).lastCwd || undefined
    // The end of both `"cwd":` and `"relocatedCwd":`, whose case differs.
    const ended = lastLine(file, { text: 'wd":', before: file.size, find })
    index.lastCwd = ended?.found ?? ""
  }
  return index
}

/** @throws SessionChangedError where the file was cut or rewritten meanwhile, whatever that led to */
function* whileSame<Item>(items: Iterable<Item>, file: OpenedFile | undefined): Generator<Item> {
  try {
    yield* items
    file?.check()
  } catch (error) {
    file?.check()
    throw error
  } finally {
    file?.close()
  }
}

/**
 * What a list shows of a session: of one whose own file is gone or empty, all that is left. Where the last turn is too far from the end of its file, how that
 * ended is not known, and the session counts as modified when the file was.
 */
export async function fileFacts(fs: FsPort, session: SourceSession): Promise<Omit<SessionInfo, "path">> {
  const { key, modified } = session
  // Without promises: a list has thousands.
  const isLeft = session.size === 0 || fs.lstatSync(key) === undefined
  const parts = isLeft ? partsOf(fs, await besideFiles(fs, key)) : []
  const { index, hasEnd } = isLeft ? { index: new SourceIndex(), hasEnd: true } : excerptOf(fs, key)
  const noted = notedBeside(fs, key)
  // What sub-agents said and used is no part of it.
  const options = { path: key, parts, isComplete: isSettled(modified), ...noted, isContext: true }
  const facts = factsOfExcerpt(convertRecords(index, { name: basename(key, ".jsonl"), ...options }), session)
  if (hasEnd) return facts
  // Whether anything was said is not known either.
  const { kind, ...rest } = facts
  const isKnown = kind === "sdk" || (kind === "archived" && modified <= (noted.archivedAt ?? 0))
  return { ...rest, ...(isKnown && { kind }), modified, status: "unknown" }
}

function partsOf(fs: FsPort, beside: readonly BesideFile[]): PartSource[] {
  const parts: PartSource[] = []
  for (const file of beside.filter(isPart)) {
    const isRead = isSubagent(file) || file.size <= LONGEST_RESULT
    parts.push({ name: file.name, bytes: isRead ? wholeFile(fs, file.path).bytes : undefined })
  }
  return parts
}
