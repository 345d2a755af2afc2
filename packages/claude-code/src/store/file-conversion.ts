import { basename } from "node:path"
import { setImmediate } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import { formatLine, type SessionArtifact, sessionChanged } from "@treelog/session-core/adapter"
import type { ConversionReport, ConvertedBytes, ConvertedLines, SessionConversion } from "@treelog-internal/agent-files"
import {
  type FsPort,
  fileChunks,
  lstatIfThere,
  notAFile,
  type SyncFile,
  withStorageErrorsSync,
} from "@treelog-internal/fs"
import { ClaudeCodeConverter } from "../converter.js"
import type { EncodedLine } from "../entries/make-entry.js"
import { type ByteSource, sourceOfBytes } from "../source/byte-source.js"
import { backgroundParent } from "./background-parent.js"
import { type BesideFile, besideFiles, isPart, isSubagent } from "./beside-files.js"
import { FileBytes, OpenBytes, openFile } from "./file-bytes.js"
import { nodeLatin1 } from "./node-latin1.js"

/** Lines are handed on in pieces of this size, longer ones alone. Bytes. */
const PIECE = 256 * 1024
/** The most bytes that UTF-8 has for one UTF-16 unit. */
const LARGEST_UNIT = 3
/** So many bytes at both ends of what was read are compared before a conversion goes on. */
const COMPARED = 4096

/**
 * Nothing is added any more to a file that has not changed for so long, as where Claude Code was killed while it wrote: then its last reply
 * is shown as it is. Milliseconds.
 */
const SETTLES_AFTER = 5 * 60_000

/** The conversion of one file, which goes on when the file grows. */
export class FileConversion implements SessionConversion {
  readonly #fs: FsPort
  readonly #path: string
  #converter: ClaudeCodeConverter | undefined
  #file: SyncFile | undefined
  /** Of the file when it was opened. */
  #modified: bigint | undefined
  /** The ends of what was read, to notice that the file was rewritten in place. */
  #ends: { readonly size: number; readonly bytes: Buffer } | undefined
  #inode: string | undefined
  #isSettled = false
  /** A chunk is valid until the next one is asked for: new memory for each is freed late. */
  readonly #piece = newPiece()
  /** The lengths of the lines that were converted, in bytes. */
  readonly #lengths: number[] = []

  constructor(fs: FsPort, path: string) {
    this.#fs = fs
    this.#path = path
  }

  get report(): ConversionReport {
    return this.#existing().report
  }

  async update(): Promise<ConvertedBytes> {
    const beside = (await besideFiles(this.#fs, this.#path)).filter(isPart)
    const isLeft = beside.some(isSubagent) && (await lstatIfThere(this.#fs, this.#path)) === undefined
    const source = this.#open(isLeft)
    if (!this.#converter || !this.#continues(source)) {
      const forkedFrom = await backgroundParent(this.#fs, this.#path, source)
      this.#converter = new ClaudeCodeConverter({ name: basename(this.#path, ".jsonl"), path: this.#path, forkedFrom })
      this.#lengths.length = 0
    }
    this.#ends = { size: source.size, bytes: endsOf(source, source.size) }
    const { kept } = this.#converted(source, beside)
    this.#lengths.length = Math.min(kept, this.#lengths.length)
    return { kept: this.#lengths.reduce((sum, length) => sum + length, 0), chunks: this.#chunks(source, kept) }
  }

  #converted(source: ByteSource, beside: readonly BesideFile[]): ConvertedLines {
    const parts = beside.map(({ name, path, size }) => ({ name, source: new FileBytes(this.#fs, path, size) }))
    try {
      return this.#existing().update(source, parts, this.#isSettled)
    } catch (error) {
      throw this.#asChanged(source, error)
    }
  }

  async *artifacts(): AsyncGenerator<SessionArtifact> {
    for (const { name, lines } of this.#existing().artifacts())
      yield { name, chunks: bytesOf(formatted(lines), newPiece) }
    const unreadable = new Set(this.#existing().unreadableParts)
    for (const file of await besideFiles(this.#fs, this.#path))
      if (!isSubagent(file) || unreadable.has(file.name))
        yield { name: file.name, chunks: fileChunks(this.#fs, file.path) }
  }

  async close(): Promise<void> {
    this.#file?.closeSync()
    this.#file = undefined
  }

  #existing(): ClaudeCodeConverter {
    if (this.#converter) return this.#converter
    const message = "Nothing was converted yet: call update() first."
    throw new TreelogError("InvalidArgumentError", message, { argument: "conversion", value: undefined })
  }

  /** Opens what has the name now; nothing where only sub-agents are left of the session. The same file stays open. */
  #open(isLeft: boolean): ByteSource {
    const file = isLeft ? undefined : openFile(this.#fs, this.#path)
    if (!file) {
      this.#ends = undefined
      this.#isSettled = true
      return sourceOfBytes(new Uint8Array())
    }
    const stat = file.statSync({ bigint: true })
    this.#file?.closeSync()
    this.#file = file
    if (!stat.isFile()) throw notAFile(this.#path, stat.isDirectory())
    const inode = `${stat.dev} ${stat.ino}`
    if (inode !== this.#inode) this.#ends = undefined
    this.#inode = inode
    this.#modified = stat.mtimeNs
    this.#isSettled = isSettled(Number(stat.mtimeNs) / 1e6)
    return new OpenBytes(this.#path, file, Number(stat.size))
  }

  /** Whether the source begins with what was converted. */
  #continues(source: ByteSource): boolean {
    if (!this.#ends) return false
    const { size, bytes } = this.#ends
    return size <= source.size && bytes.equals(endsOf(source, size))
  }

  async *#chunks(source: ByteSource, kept: number): AsyncGenerator<Uint8Array> {
    const onLine = (length: number): void => void this.#lengths.push(length)
    try {
      yield* bytesOf(this.#existing().formatted(kept, nodeLatin1), () => this.#piece, onLine)
    } catch (error) {
      throw this.#asChanged(source, error)
    }
    this.#assertUnchanged(source)
  }

  /** What was rewritten while it was read can be read as anything: then that is the error. */
  #asChanged(source: ByteSource, error: unknown): unknown {
    try {
      this.#assertUnchanged(source)
      return error
    } catch (change) {
      return change
    }
  }

  /** Whatever was added. @throws SessionChangedError where the file is not what it was when it was opened */
  #assertUnchanged(source: ByteSource): void {
    const stat = withStorageErrorsSync(this.#path, "stat", () => this.#file?.statSync({ bigint: true }))
    if (!stat) return
    const size = Number(stat.size)
    if (size < source.size) throw sessionChanged(this.#path, "shrunk")
    const isSame = size > source.size || stat.mtimeNs === this.#modified
    if (!isSame || !this.#continues(source)) throw sessionChanged(this.#path, "replaced")
  }
}

/** @param modified milliseconds since 1970 */
export function isSettled(modified: number): boolean {
  return Date.now() - modified >= SETTLES_AFTER
}

function endsOf(source: ByteSource, size: number): Buffer {
  const length = Math.min(COMPARED, size)
  // A read is valid until the next.
  const start = Buffer.from(source.read(0, length))
  return Buffer.concat([start, source.read(size - length, length)])
}

function newPiece(): Buffer {
  return Buffer.allocUnsafeSlow(PIECE)
}

function* formatted(lines: Iterable<object>): Generator<EncodedLine> {
  for (const line of lines) yield { text: formatLine(line), encoding: "utf8" }
}

/** Other work of the process has its turn between pieces. @param pieceMemory for the next piece */
async function* bytesOf(
  lines: Iterable<EncodedLine>,
  pieceMemory: () => Buffer,
  onLine?: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  let piece = pieceMemory()
  let length = 0
  for (const { text, encoding } of lines) {
    const most = encoding === "utf8" ? text.length * LARGEST_UNIT : text.length
    const isLong = most > PIECE
    if (length > 0 && most > PIECE - length) {
      yield piece.subarray(0, length)
      await setImmediate()
      piece = pieceMemory()
      length = 0
    }
    if (isLong) {
      const long = Buffer.from(text, encoding)
      onLine?.(long.length)
      yield long
      continue
    }
    const written = piece.write(text, length, encoding)
    onLine?.(written)
    length += written
  }
  if (length > 0) yield piece.subarray(0, length)
}
