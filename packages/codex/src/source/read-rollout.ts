import type { Duplex } from "node:stream"
import { isTreelogError } from "@treelog/session-core"
import { type Line, LineSplitter } from "@treelog/session-core/adapter"
import {
  type FsPort,
  isGone,
  openPlain,
  readWhole,
  sessionNotFound,
  storageError,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"

/** Bytes that are read at once. */
const BLOCK = 256 * 1024

/** Turns compressed pieces into uncompressed ones. */
type Decompressor = (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/**
 * The uncompressed bytes of a rollout in pieces, each of which is valid until the next one is asked for.
 * @throws SessionNotFoundError, StorageError
 * @param block bytes that are read at once
 */
export async function* rolloutBytes(fs: FsPort, path: string, block = BLOCK): AsyncGenerator<Uint8Array> {
  const { file } = await opened(fs, path)
  try {
    const pieces = filePieces(file, path, block)
    if (path.endsWith(".zst")) yield* decompressed(path, pieces)
    else yield* pieces
  } finally {
    await file.close()
  }
}

/** @throws SessionNotFoundError, StorageError */
export async function opened(fs: FsPort, path: string): ReturnType<typeof openPlain> {
  try {
    return await openPlain(fs, path)
  } catch (error) {
    throw isGone(error) ? sessionNotFound(path) : toStorageError(error, path, "read")
  }
}

async function* decompressed(path: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* (await decompressor())(pieces)
  } catch (error) {
    throw isTreelogError(error) ? error : storageError(path, "decompress", undefined, error)
  }
}

async function* filePieces(
  file: Parameters<typeof readWhole>[0],
  path: string,
  block: number,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(block)
  for (let position = 0; ; position += buffer.length) {
    const at = position
    const length = await withStorageErrors(path, "read", () => readWhole(file, buffer, at))
    if (length > 0) yield buffer.subarray(0, length)
    if (length < buffer.length) return
  }
}

/** The lines of a rollout. A last line without line end is one of them. */
export async function* rolloutLines(fs: FsPort, path: string, block?: number): AsyncGenerator<Line> {
  const splitter = new LineSplitter()
  for await (const piece of rolloutBytes(fs, path, block)) yield* splitter.push(piece)
  yield* splitter.finish()
}

/** Node's own from 22.15 on, else one in JavaScript. Loaded with the first compressed file. */
async function decompressor(): Promise<Decompressor> {
  const { createZstdDecompress } = (await import("node:zlib")) as Zlib
  if (!createZstdDecompress) return inJavaScript
  const { Readable } = await import("node:stream")
  const { pipeline } = await import("node:stream/promises")
  return async function* byNode(pieces) {
    const source = Readable.from(copies(pieces))
    const stream = createZstdDecompress()
    const piped = pipeline(source, stream)
    try {
      yield* stream.iterator({ destroyOnReturn: false })
    } finally {
      // Whoever needs only the head stops before the end.
      source.destroy()
      stream.destroy()
      await Promise.allSettled([piped])
    }
  }
}

/** Of the Node that we compile for, it is not part of the types. */
type Zlib = typeof import("node:zlib") & { readonly createZstdDecompress?: () => Duplex }

/** A stream keeps what it got while the next piece is read. */
async function* copies(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield piece.slice()
}

async function* inJavaScript(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd")
  const ready: Uint8Array[] = []
  const stream = new Decompress((piece) => {
    ready.push(piece)
  })
  for await (const piece of pieces) {
    stream.push(piece.slice())
    yield* ready.splice(0)
  }
  stream.push(new Uint8Array(), true)
  yield* ready
}
