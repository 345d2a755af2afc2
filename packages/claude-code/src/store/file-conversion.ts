import { basename } from "node:path"
import { setImmediate } from "node:timers/promises"
import { formatLine } from "@treelog/session-core/adapter"
import type {
  ConversionReport,
  ConvertedArtifact,
  ConvertedBytes,
  SessionConversion,
} from "@treelog-internal/agent-files"
import { type FsPort, fileChunks, notAFile, type SyncFile } from "@treelog-internal/fs"
import { ClaudeCodeConverter } from "../converter.js"
import type { ByteSource } from "../source/byte-source.js"
import { besideFiles, isSubagent } from "./beside-files.js"
import { FileBytes, OpenBytes, openFile } from "./file-bytes.js"

/** Lines are handed on in pieces of this size, longer ones alone. Bytes. */
const PIECE = 256 * 1024
/** The most bytes that UTF-8 has for one UTF-16 unit. */
const LARGEST_UNIT = 3
/** So many bytes at both ends of what was read are compared before a conversion goes on. */
const COMPARED = 4096

/** The conversion of one file, which goes on when the file grows. */
export class FileConversion implements SessionConversion {
  readonly #fs: FsPort
  readonly #path: string
  #converter: ClaudeCodeConverter
  #file: SyncFile | undefined
  /** The ends of what was read, to notice that the file was rewritten in place. */
  #ends: { readonly size: number; readonly bytes: Buffer } | undefined
  #inode: string | undefined
  /** The lengths of the lines that were converted, in bytes. */
  readonly #lengths: number[] = []

  constructor(fs: FsPort, path: string) {
    this.#fs = fs
    this.#path = path
    this.#converter = this.#newConverter()
  }

  get report(): ConversionReport {
    return this.#converter.report
  }

  async update(): Promise<ConvertedBytes> {
    const source = this.#open()
    if (!this.#continues(source)) {
      this.#converter = this.#newConverter()
      this.#lengths.length = 0
    }
    this.#ends = { size: source.size, bytes: endsOf(source, source.size) }
    const subagents = (await besideFiles(this.#fs, this.#path)).filter(isSubagent)
    const { kept, lines } = this.#converter.update(
      source,
      subagents.map(({ name, path, size }) => ({ name, source: new FileBytes(this.#fs, path, size) })),
    )
    this.#lengths.length = Math.min(kept, this.#lengths.length)
    return { kept: this.#lengths.reduce((sum, length) => sum + length, 0), chunks: this.#chunks(lines) }
  }

  async *artifacts(): AsyncGenerator<ConvertedArtifact> {
    for (const { name, lines } of this.#converter.artifacts()) yield { name, chunks: bytesOf(lines) }
    for (const file of await besideFiles(this.#fs, this.#path))
      if (!isSubagent(file)) yield { name: file.name, chunks: fileChunks(this.#fs, file.path) }
  }

  async close(): Promise<void> {
    this.#file?.closeSync()
    this.#file = undefined
  }

  #newConverter(): ClaudeCodeConverter {
    return new ClaudeCodeConverter({ name: basename(this.#path, ".jsonl"), path: this.#path })
  }

  /** Opens what has the name now. The same file stays open. */
  #open(): ByteSource {
    const file = openFile(this.#fs, this.#path)
    const stat = file.statSync({ bigint: true })
    this.#file?.closeSync()
    this.#file = file
    if (!stat.isFile()) throw notAFile(this.#path, stat.isDirectory())
    const inode = `${stat.dev} ${stat.ino}`
    if (inode !== this.#inode) this.#ends = undefined
    this.#inode = inode
    return new OpenBytes(this.#path, file, Number(stat.size))
  }

  /** Whether the source begins with what was converted. */
  #continues(source: ByteSource): boolean {
    if (!this.#ends) return false
    const { size, bytes } = this.#ends
    return size <= source.size && bytes.equals(endsOf(source, size))
  }

  async *#chunks(lines: Iterable<object>): AsyncGenerator<Uint8Array> {
    yield* bytesOf(lines, (length) => this.#lengths.push(length))
  }
}

function endsOf(source: ByteSource, size: number): Buffer {
  const length = Math.min(COMPARED, size)
  // A read is valid until the next.
  const start = Buffer.from(source.read(0, length))
  return Buffer.concat([start, source.read(size - length, length)])
}

/** Other work of the process has its turn between pieces. */
async function* bytesOf(lines: Iterable<object>, onLine?: (length: number) => void): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafeSlow(PIECE)
  let length = 0
  for (const line of lines) {
    const text = formatLine(line)
    const isLong = text.length * LARGEST_UNIT > PIECE
    if (length > 0 && (isLong || text.length * LARGEST_UNIT > PIECE - length)) {
      yield piece.subarray(0, length)
      await setImmediate()
      piece = Buffer.allocUnsafeSlow(PIECE)
      length = 0
    }
    const long = isLong ? Buffer.from(text) : undefined
    const written = long ? long.length : piece.write(text, length)
    onLine?.(written)
    if (long) yield long
    else length += written
  }
  if (length > 0) yield piece.subarray(0, length)
}
