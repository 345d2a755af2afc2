import { isTreelogError } from "@treelog/session-core"
import { type Line, LineSplitter, sessionChanged } from "@treelog/session-core/adapter"
import { LARGEST_FILE, OpenedFile, unpacked } from "@treelog-internal/agent-files"
import { type FsPort, storageError } from "@treelog-internal/fs"
import type { ReadPart } from "../convert/thread-records.js"

/** Reads the lines of a rollout from a place on. A last line without line end is one of them; each is valid until the next one is asked for. */
export type RolloutReader = (path: string, from?: ReadPart) => Generator<Line>

export interface ReaderOptions {
  /** Bytes that are read at once. */
  readonly block?: number
  /** Gets what was read of a file up to its last complete line, unless that is compressed. */
  readonly onRead?: (part: ReadPart) => void
}

/**
 * What reads the lines of rollouts; loads what decompresses, if one of them is compressed.
 * @returns throws SessionNotFoundError, SessionChangedError for a file that was cut or rewritten meanwhile, StorageError
 */
export async function rolloutReader(
  fs: FsPort,
  paths: readonly string[],
  { block, onRead }: ReaderOptions = {},
): Promise<RolloutReader> {
  const zstd = paths.some(isCompressed) ? await import("fzstd") : undefined
  return function* linesIn(path, from) {
    const file = new OpenedFile(fs, path)
    try {
      if (from && !startsWith(file, from)) throw sessionChanged(path, "replaced")
      const { size, modified } = file
      const place = { line: 1, offset: 0, ...from }
      const splitter = new LineSplitter(place)
      const unpack = isCompressed(path) ? zstd : undefined
      const pieces = file.pieces(block, place.offset)
      const lines = function* (): Generator<Line> {
        for (const piece of unpack ? decompressed(path, pieces, unpack) : pieces) yield* splitter.push(piece)
        yield* splitter.finish()
      }
      for (const line of lines()) {
        if (line.terminated) Object.assign(place, { line: line.number + 1, offset: line.end })
        yield line
      }
      file.check()
      if (!unpack) onRead?.({ ...place, beginning: file.beginning(place.offset), size, modified })
    } finally {
      file.close()
    }
  }
}

/** Whether a file has only grown since a part of it was read. @throws SessionNotFoundError, SessionChangedError, StorageError */
export function hasOnlyGrown(fs: FsPort, path: string, part: ReadPart): boolean {
  const file = new OpenedFile(fs, path)
  try {
    return startsWith(file, part)
  } finally {
    file.close()
  }
}

function startsWith(file: OpenedFile, { offset, beginning, size, modified }: ReadPart): boolean {
  const hasGrown = file.size > size || file.modified === modified
  return hasGrown && file.size >= offset && file.beginning(offset) === beginning
}

function isCompressed(path: string): boolean {
  return path.endsWith(".zst")
}

/** @throws InvalidSessionError for one that becomes too large, StorageError for one that is damaged */
function* decompressed(
  path: string,
  pieces: Iterable<Uint8Array>,
  { Decompress }: typeof import("fzstd"),
): Generator<Uint8Array> {
  try {
    yield* unpacked(pieces, Decompress, { key: path, limit: LARGEST_FILE })
  } catch (error) {
    throw isTreelogError(error) ? error : storageError(path, "decompress", undefined, error)
  }
}
