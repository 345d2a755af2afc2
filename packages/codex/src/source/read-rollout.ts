import { isTreelogError } from "@treelog/session-core"
import { type Line, LineSplitter } from "@treelog/session-core/adapter"
import { LARGEST_FILE, OpenedFile, unpacked } from "@treelog-internal/agent-files"
import { type FsPort, storageError } from "@treelog-internal/fs"

/** Reads the lines of a rollout. A last line without line end is one of them; each is valid until the next one is asked for. */
export type RolloutReader = (path: string) => Generator<Line>

/**
 * What reads the lines of rollouts; loads what decompresses, if one of them is compressed.
 * @param block bytes that are read at once
 * @returns throws SessionNotFoundError, SessionChangedError for a file that was cut or rewritten meanwhile, StorageError
 */
export async function rolloutReader(fs: FsPort, paths: readonly string[], block?: number): Promise<RolloutReader> {
  const zstd = paths.some(isCompressed) ? await import("fzstd") : undefined
  return function* linesIn(path) {
    const file = new OpenedFile(fs, path)
    try {
      const splitter = new LineSplitter()
      const pieces = file.pieces(block)
      for (const piece of zstd && isCompressed(path) ? decompressed(path, pieces, zstd) : pieces)
        yield* splitter.push(piece)
      yield* splitter.finish()
      file.check()
    } finally {
      file.close()
    }
  }
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
