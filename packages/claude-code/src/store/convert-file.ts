import { basename } from "node:path"
import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import {
  type Conversion,
  type EndOptions,
  factsOfExcerpt,
  lastLine,
  OpenedFile,
  type SourceSession,
  type SourceUsage,
  sessionBytes,
  wholeFile,
} from "@treelog-internal/agent-files"
import { type FsPort, fileChunks, lstatIfThere } from "@treelog-internal/fs"
import { convertRecords, LONGEST_RESULT, type Part, type PartSource, type SessionConversion } from "../convert.js"
import { convertEnd } from "../end.js"
import { SourceIndex } from "../source/source-index.js"
import { usageEntries } from "../usage.js"
import { backgroundParent } from "./background-parent.js"
import { archivedAt, type BesideFile, besideFiles, isArchiveMark, isPart, isSubagent } from "./beside-files.js"
import { excerptOf, linesOfSummaries } from "./excerpt.js"
import { HEAD } from "./file-bytes.js"
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

/** Converts a session with what is beside it. @throws InvalidSessionError, SessionChangedError, SessionNotFoundError, StorageError */
export async function convertFile(fs: FsPort, path: string): Promise<Conversion> {
  const beside = await besideFiles(fs, path)
  const isLeft = beside.some(isSubagent) && (await lstatIfThere(fs, path)) === undefined
  const parts = partsOf(fs, beside)
  // Records are read as they are asked for; it is closed behind what is iterated.
  const file = isLeft ? undefined : new OpenedFile(fs, path)
  try {
    const forkedFrom = file && (await backgroundParent(fs, path, file.read(0, Math.min(HEAD, file.size))))
    const index = new SourceIndex(file?.lines(), file && ((offset, length) => file.read(offset, length)))
    const isComplete = !file || isSettled(file.modified)
    const options = { path, parts, forkedFrom, isComplete, archivedAt: archivedAt(fs, path) }
    const session = convertRecords(index, { name: basename(path, ".jsonl"), ...options })
    return {
      get report() {
        return session.report()
      },
      header: session.header,
      entries: whileSame(session.entries, file),
      artifacts: () => artifactsOf(fs, session, beside, file),
    }
  } catch (error) {
    file?.close()
    throw error
  }
}

/** The path that the end of a session becomes. @throws SessionChangedError, SessionNotFoundError, StorageError */
export async function pathOfEnd(
  fs: FsPort,
  path: string,
  { withParts }: EndOptions,
): Promise<readonly SessionEntry[] | undefined> {
  const beside = withParts ? await besideFiles(fs, path) : []
  const file = new OpenedFile(fs, path)
  try {
    const end = endOf(file)
    if (!end) return undefined
    const { millis: start } = end.index.records[0] ?? {}
    // What was not written since then belongs to what stands before.
    const parts = partsOf(
      fs,
      beside.filter(({ modified }) => !(modified / 1e6 < Number(start))),
    )
    const entries = convertEnd(end, {
      name: basename(path, ".jsonl"),
      path,
      parts,
      isComplete: isSettled(file.modified),
    })
    file.check()
    return entries
  } finally {
    file.close()
  }
}

/** What a session used, from the lines that decide about it. @throws SessionChangedError, SessionNotFoundError, StorageError, InvalidSessionError */
export async function usageOfFile(fs: FsPort, path: string): Promise<SourceUsage> {
  const beside = (await besideFiles(fs, path)).filter(isSubagent)
  // Where only sub-agents are left, they say all.
  if ((await lstatIfThere(fs, path)) === undefined) return undefined
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
      agents.push({ name, index: usageIndex(agent) })
    }
    const usage = usageEntries(index, agents, { name: basename(path, ".jsonl"), path, forkedFrom, isComplete })
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
    const ended = lastLine(file, '"cwd"', { before: file.size }, (line) => new SourceIndex([line]).lastCwd || undefined)
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
 * What a list shows of a session: of one whose own file is gone, all that is left. Where the last turn is too far from the end of its file, how that
 * ended is not known, and the session counts as modified when the file was.
 */
export async function fileFacts(fs: FsPort, session: SourceSession): Promise<Omit<SessionInfo, "path">> {
  const { key, size, modified } = session
  // Without promises: a list has thousands.
  const isLeft = fs.lstatSync(key) === undefined
  const parts = isLeft ? partsOf(fs, await besideFiles(fs, key)) : []
  const { index, hasEnd } = isLeft ? { index: new SourceIndex(), hasEnd: true } : excerptOf(fs, key, size)
  const archived = archivedAt(fs, key)
  const options = { path: key, parts, isComplete: isSettled(modified), archivedAt: archived }
  const facts = factsOfExcerpt(convertRecords(index, { name: basename(key, ".jsonl"), ...options }), session)
  if (hasEnd) return facts
  // Whether anything was said is not known either.
  const { kind, ...rest } = facts
  const isKnown = kind === "sdk" || (kind === "archived" && modified <= (archived ?? 0))
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

async function* artifactsOf(
  fs: FsPort,
  { artifacts, unreadableParts }: SessionConversion,
  beside: readonly BesideFile[],
  file: OpenedFile | undefined,
): AsyncGenerator<SessionArtifact> {
  for (const { name, ...session } of whileSame(artifacts, file)) yield { name, chunks: sessionBytes(session) }
  for (const file of beside.filter((one) => !isArchiveMark(one)))
    if (!isSubagent(file) || unreadableParts.includes(file.name))
      yield { name: file.name, chunks: fileChunks(fs, file.path) }
}
