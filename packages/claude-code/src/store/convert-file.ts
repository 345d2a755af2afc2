import { basename } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import {
  type Conversion,
  factsOfExcerpt,
  type SourceSession,
  sessionBytes,
  wholeFile,
} from "@treelog-internal/agent-files"
import { type FsPort, fileChunks, lstatIfThere } from "@treelog-internal/fs"
import { LONGEST_RESULT, type PartSource, SessionConversion } from "../convert.js"
import { SourceIndex } from "../source/source-index.js"
import { backgroundParent } from "./background-parent.js"
import { type BesideFile, besideFiles, isPart, isSubagent } from "./beside-files.js"
import { excerptOf } from "./excerpt.js"

/**
 * Nothing is added any more to a file that has not changed for so long, as where Claude Code was killed while it wrote: then its last reply
 * is shown as it is. Milliseconds.
 */
const SETTLES_AFTER = 5 * 60_000

/** @param modified milliseconds since 1970 */
export function isSettled(modified: number): boolean {
  return Date.now() - modified >= SETTLES_AFTER
}

/** Where only sub-agents are left of a session. */
const NO_FILE = { bytes: new Uint8Array(), modified: 0 }

/** Converts a session with what is beside it. @throws InvalidSessionError, SessionChangedError, SessionNotFoundError, StorageError */
export async function convertFile(fs: FsPort, path: string): Promise<Conversion> {
  const beside = await besideFiles(fs, path)
  const isLeft = beside.some(isSubagent) && (await lstatIfThere(fs, path)) === undefined
  const { bytes, modified } = isLeft ? NO_FILE : await wholeFile(fs, path)
  const session = new SessionConversion(new SourceIndex(bytes), {
    name: basename(path, ".jsonl"),
    path,
    forkedFrom: await backgroundParent(fs, path, bytes),
    parts: await partsOf(fs, beside),
    isComplete: isSettled(modified),
  })
  return {
    get report() {
      return session.report
    },
    chunks: sessionBytes(session),
    artifacts: () => artifactsOf(fs, session, beside),
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
  const parts = isLeft ? await partsOf(fs, await besideFiles(fs, key)) : []
  const { index, hasEnd } = isLeft ? { index: new SourceIndex(), hasEnd: true } : excerptOf(fs, key, size)
  const options = { name: basename(key, ".jsonl"), path: key, parts, isComplete: isSettled(modified) }
  const facts = factsOfExcerpt(new SessionConversion(index, options), session)
  if (hasEnd) return facts
  // Whether anything was said is not known either.
  const { kind, ...rest } = facts
  return { ...rest, ...(kind === "sdk" && { kind }), modified, status: "unknown" }
}

async function partsOf(fs: FsPort, beside: readonly BesideFile[]): Promise<PartSource[]> {
  const parts: PartSource[] = []
  for (const file of beside.filter(isPart)) {
    const isRead = isSubagent(file) || file.size <= LONGEST_RESULT
    parts.push({ name: file.name, bytes: isRead ? (await wholeFile(fs, file.path)).bytes : undefined })
  }
  return parts
}

async function* artifactsOf(
  fs: FsPort,
  { artifacts, unreadableParts }: SessionConversion,
  beside: readonly BesideFile[],
): AsyncGenerator<SessionArtifact> {
  for (const { name, ...session } of artifacts) yield { name, chunks: sessionBytes(session) }
  for (const file of beside)
    if (!isSubagent(file) || unreadableParts.includes(file.name))
      yield { name: file.name, chunks: fileChunks(fs, file.path) }
}
