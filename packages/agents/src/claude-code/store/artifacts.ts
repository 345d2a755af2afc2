import { basename } from "node:path"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import { lastLines, OpenedFile, sessionBytes, wholeFile } from "@treelog-internal/agent-files"
import { type FsPort, fileChunks, lstatIfThere } from "@treelog-internal/fs"
import { convertRecords, isTranscript } from "../convert.js"
import { isCompactionRequest } from "../parts.js"
import { SourceIndex } from "../source/source-index.js"
import { type BesideFile, besideFiles, isSubagent } from "./beside-files.js"
import { isNote } from "./noted-beside.js"

/** Lines of side chains, and of progress that holds lines of a sub-agent, have one of these. */
const NESTED = ['"isSidechain":true', '"isSidechain": true', '"agent_progress"']

/**
 * The transcripts of sub-agents of a session, and the files beside it. The session is converted only where its file has transcripts within.
 * @throws SessionChangedError, SessionNotFoundError, InvalidSessionError, StorageError
 */
export async function* artifactsOf(fs: FsPort, path: string): AsyncGenerator<SessionArtifact> {
  const beside = await besideFiles(fs, path)
  if ((await lstatIfThere(fs, path)) !== undefined) yield* nestedTranscripts(fs, path, beside.filter(isSubagent))
  for (const file of beside) {
    const { name } = file
    if (isNote(file) || (isCompactionRequest(name) && isTranscript(indexOf(fs, file)))) continue
    yield { name, chunks: isSubagent(file) ? transcriptBytes(fs, file, path) : fileChunks(fs, file.path) }
  }
}

/** Those in the file of the session, but for those that have files of their own. */
function* nestedTranscripts(fs: FsPort, path: string, agents: readonly BesideFile[]): Generator<SessionArtifact> {
  const file = new OpenedFile(fs, path)
  try {
    const searches = NESTED.map((text) => ({ text, before: file.size, find: () => true }))
    if (!lastLines(file, searches).some((line) => line)) return
    const index = new SourceIndex(file.lines(), (offset, length) => file.read(offset, length))
    const parts = agents.map(({ name }) => ({ name, bytes: undefined }))
    const { artifacts } = convertRecords(index, { name: basename(path, ".jsonl"), path, parts })
    for (const { name, ...session } of artifacts) yield { name, chunks: sessionBytes(session) }
    file.check()
  } finally {
    file.close()
  }
}

/** A transcript as a session; what is none, as it is. */
async function* transcriptBytes(fs: FsPort, file: BesideFile, key: string): AsyncGenerator<Uint8Array> {
  const index = indexOf(fs, file)
  if (!isTranscript(index)) return yield* fileChunks(fs, file.path)
  const options = { name: basename(file.name, ".jsonl"), parentSession: basename(key, ".jsonl") }
  yield* sessionBytes(convertRecords(index, options))
}

function indexOf(fs: FsPort, { path }: BesideFile): SourceIndex {
  return SourceIndex.of(wholeFile(fs, path).bytes)
}
