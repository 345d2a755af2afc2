import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as zlib from "node:zlib"
import { isTreelogError } from "@treelog/session-core"
import { FILE_MODE, type FsPort, isErrno, makeFolder, toStorageError, writeWholeSync } from "@treelog-internal/fs"
import { type Entry, extract } from "tar-stream"
import { BundleError } from "./bundle-error.js"
import { type BundledFile, LARGEST_MANIFEST, MANIFEST, type Manifest, parseManifest } from "./manifest.js"
import type { FreeSpace } from "./staging.js"

/** Headers of one entry, and what is read ahead. Bytes. */
const AHEAD = 4 << 20

/** Where an archive is unpacked, and what may end that. */
export interface UnpackOptions {
  readonly fs: FsPort
  /** An empty folder. */
  readonly folder: string
  /** What is free there. */
  readonly space: FreeSpace
  /** Whether all of it will be stored, too, on the same disk. */
  readonly isStored: boolean
  readonly signal: AbortSignal
  /** Called with the bytes that were unpacked since the last call. */
  readonly onProgress: (bytes: number) => void
}

/**
 * Unpacks a bundle into a folder, and verifies all of it. No name of the archive is ever used: its entries have to be the files of the
 * manifest, in that order, with these sizes and hashes.
 * @param start what `firstBytes` found
 * @throws BundleError
 */
export async function unpack(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  options: UnpackOptions,
): Promise<Manifest> {
  const { signal } = options
  const limit = new Limit(LARGEST_MANIFEST)
  const entries = extract()
  const form = formOf(start)
  const chunks = Readable.from(continued(start, rest), { objectMode: false })
  const flow = form
    ? pipeline(chunks, form, limit.stream(), entries, { signal })
    : pipeline(chunks, limit.stream(), entries, { signal })
  const flowed = flow.then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    const manifest = await unpackEntries(entries, limit, options)
    const fault = await flowed
    if (fault !== undefined) throw fault
    return manifest
  } catch (error) {
    entries.destroy()
    const fault = await flowed
    signal.throwIfAborted()
    // What ended the work ends the stream, too, with an error of its own.
    for (const one of [error, fault]) if (one instanceof BundleError || isTreelogError(one)) throw one
    for (const one of [fault, error])
      if (isDamage(one)) throw new BundleError("it is damaged, or incomplete", { cause: one })
    throw error
  }
}

async function unpackEntries(entries: AsyncIterable<Entry>, limit: Limit, options: UnpackOptions): Promise<Manifest> {
  let manifest: Manifest | undefined
  let at = 0
  for await (const entry of entries) {
    if (!manifest) {
      manifest = parseManifest(await readManifestText(entry))
      requireSpace(manifest, options)
    } else {
      const file = manifest.files[at]
      assertEntry(entry, file)
      await unpackFile(entry, file, options)
      at += 1
    }
    limit.allow(manifest.files[at]?.size ?? 0)
  }
  if (!manifest) throw new BundleError("it is empty")
  const missing = manifest.files[at]
  if (missing) throw new BundleError(`it ends before ${missing.path}`)
  return manifest
}

/** What is staged and what is stored of it are on the disk at the same time, in whole blocks. @throws BundleError */
function requireSpace({ files }: Manifest, { space, isStored }: Pick<UnpackOptions, "space" | "isStored">): void {
  const times = isStored ? 2 : 1
  const blocks = files.reduce((sum, { size }) => sum + Math.ceil(size / space.block), 0)
  const needed = times * blocks * space.block
  if (needed > space.bytes)
    throw new BundleError(`its files need ${needed} bytes, and there is space for ${space.bytes}`)
  if (times * files.length > space.files)
    throw new BundleError(`it has ${times * files.length} files to store, and there is space for ${space.files}`)
}

function assertEntry({ header }: Entry, file: BundledFile | undefined): asserts file is BundledFile {
  const name = JSON.stringify(header.name)
  if (!file) throw new BundleError(`it has ${name}, which its manifest does not`)
  if (header.name !== wellFormed(file.path)) throw new BundleError(`it has ${name} in the place of ${file.path}`)
  if (header.type !== "file") throw new BundleError(`${name} is not a file: it has the type ${header.type}`)
  if (header.size !== file.size) throw new BundleError(`${name} has ${header.size} bytes instead of ${file.size}`)
}

/** As text is after it was encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

async function unpackFile(entry: Entry, { path, sha256 }: BundledFile, { fs, folder, onProgress }: UnpackOptions) {
  const target = join(folder, path)
  const hash = createHash("sha256")
  try {
    makeFolder(fs, dirname(target))
    // Fails where another file has this name, as where names differ only in upper case. Without promises: most of many files are small.
    const file = fs.openSync(target, "wx", FILE_MODE)
    try {
      for await (const chunk of entry as AsyncIterable<Uint8Array>) {
        hash.update(chunk)
        writeWholeSync(file, chunk, null)
        onProgress(chunk.length)
      }
    } finally {
      file.closeSync()
    }
  } catch (error) {
    if (isErrno(error, "EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"))
      throw new BundleError(`${path} cannot be a file here, beside the others`, { cause: error })
    throw toStorageError(error, target, "write")
  }
  if (hash.digest("hex") !== sha256) throw new BundleError(`${path} does not have the hash that its manifest has`)
}

/** The text of the manifest, which comes first. */
async function readManifestText(entry: Entry): Promise<string> {
  const { name, type, size = 0 } = entry.header
  if (name !== MANIFEST || type !== "file")
    throw new BundleError(`it begins with ${JSON.stringify(name)}, and not with a manifest`)
  if (size > LARGEST_MANIFEST) throw new BundleError(`its manifest has ${size} bytes`)
  const chunks: Uint8Array[] = []
  for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** Stops what decompresses to more than the next file may have: a bomb ends there. */
class Limit {
  #left: number

  constructor(size: number) {
    this.#left = size + AHEAD
  }

  /** @param size of the next file. Bytes */
  allow(size: number): void {
    this.#left = size + AHEAD
  }

  stream(): Transform {
    return new Transform({
      transform: (chunk: Uint8Array, _, done) => {
        this.#left -= chunk.length
        if (this.#left < 0) done(new BundleError("it has more bytes than its manifest says"))
        else done(null, chunk)
      },
    })
  }
}

/** How the archive is compressed, by its first bytes. Undefined where it is not. @throws BundleError */
function formOf(start: Uint8Array): Transform | undefined {
  if (start.length === 0) throw new BundleError("it is empty")
  if (start[0] === 0x1f && start[1] === 0x8b) return zlib.createGunzip()
  if (start.length < 4 || Buffer.from(start.subarray(0, 4)).readUInt32LE() !== 0xfd2fb528) return undefined
  if (!("createZstdDecompress" in zlib))
    throw new BundleError("it is compressed by zstd, which this version of Node cannot read; pipe it through `zstd -d`")
  return (zlib.createZstdDecompress as () => Transform)()
}

/** As many as say how an archive is compressed, or more. */
export async function firstBytes(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = Buffer.alloc(0)
  while (start.length < 4) {
    const { done, value } = await chunks.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  return start
}

async function* continued(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** An error of the streams that decompress, or of the archive's form. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? String(error.code) : ""
  if (/^(?:Z_|ZSTD_|ERR_STREAM_PREMATURE_CLOSE)/.test(code)) return true
  return code === "" && /^(?:Unexpected end of data|Invalid tar header)/.test(error.message)
}
