import { dirname } from "node:path"
import { FILE_MODE, makeFolder } from "./folders.js"
import type { FsPort } from "./fs-port.js"
import { openPlainSync, READ_NO_LINK } from "./read-file.js"
import { isGone } from "./storage-error.js"
import { TemporaryFiles } from "./temporary-files.js"
import { readWholeSync, writeWhole } from "./whole-io.js"

// A log of batches: a line with the heads of some rows, a line with the columns of each, and a checksum of all these; a later row of a key counts.
// Why a crash, damage and other processes do no harm: a batch is appended in one write that begins with a line end, so that one half written
// damages no other; a batch that does not have its checksum is skipped; and what is missing is found out again. A rewrite may lose what another
// process appends meanwhile, which costs the same.

/** A log is rewritten when it has a quarter, and so many, more rows than keys: each process reads all of them. */
const SPARE = 100
/** The same of the bytes of rows that were replaced, since some rows are long. */
const SPARE_BYTES = 1024 * 1024

const [LF, BRACE, BRACKET] = [0x0a, 0x7b, 0x5b]

/** What each list needs of a row: its key, how many bytes its columns have, and more. */
type RowHead = readonly [key: string, length: number, ...more: unknown[]]

/** A row as it stands in the file: its head, and columns that are parsed when they are needed, since a list needs little of most rows. */
export class Row {
  readonly head: RowHead
  readonly #bytes: Buffer
  readonly #start: number

  /** @param start where the columns begin in the bytes, each after a tab */
  constructor(head: RowHead, bytes: Buffer, start: number) {
    this.head = head
    this.#bytes = bytes
    this.#start = start
  }

  /** JSON has no tabs. */
  static of(key: string, columns: readonly unknown[], more: readonly unknown[]): Row {
    const bytes = Buffer.from(`${columns.map((value) => `\t${JSON.stringify(value ?? null)}`).join("")}\n`)
    return new Row([key, bytes.length, ...more], bytes, 0)
  }

  get columns(): Buffer {
    return this.#bytes.subarray(this.#start, this.#start + this.head[1])
  }

  /** Parses the value of a column; undefined where there is none. */
  value(column: number): unknown {
    const text = this.columns.toString().split("\t", column + 2)[column + 1]
    return text && JSON.parse(text)
  }
}

export interface RowLogOptions {
  /** What the rows are about, and in which form: a log with another heading is read as empty. */
  readonly heading: object
  /** Called with each error of the file system: the rows are in memory anyway. */
  readonly onError: (error: unknown, operation: "read" | "write") => void
}

/** Rows by key, kept in a file. */
export class RowLog {
  readonly rows = new Map<string, Row>()
  readonly #fs: FsPort
  readonly #path: string | undefined
  readonly #heading: string
  readonly #onError: RowLogOptions["onError"]
  readonly #waiting = new Set<string>()
  /** How much of the file was read. Bytes. */
  #end = 0
  /** How many rows the file has, with those that were replaced, and lines that were skipped. */
  #stored = 0
  /** Bytes of the rows that were replaced. */
  #replaced = 0
  #isOther = false
  /** Whether the file has rows that were deleted. */
  #isStale = false

  /** @param path an absolute path; undefined keeps everything in memory */
  constructor(fs: FsPort, path: string | undefined, { heading, onError }: RowLogOptions) {
    this.#fs = fs
    this.#path = path
    this.#heading = JSON.stringify(heading)
    this.#onError = onError
  }

  /** Whether something of it is in the file. */
  get isStored(): boolean {
    return this.#end > 0 && !this.#isOther
  }

  /** @param more of the head: what each list needs; the columns are parsed when they are needed */
  set(key: string, columns: readonly unknown[], more: readonly unknown[] = []): void {
    this.#put(Row.of(key, columns, more))
    this.#waiting.add(key)
  }

  /** Forgets a row: with the next `flush`, the file does, too. */
  delete(key: string): void {
    this.#isStale ||= this.rows.delete(key)
    this.#waiting.delete(key)
  }

  /** Reads what this process and others have appended since the last call: without promises, as a list stats its sessions. */
  load(): void {
    const path = this.#path
    if (path === undefined) return
    try {
      const bytes = this.#appended(path)
      for (let at = 0; bytes && at < bytes.length; ) at = this.#read(bytes, at)
    } catch (error) {
      this.#onError(error, "read")
    }
  }

  /** Stores what was set. */
  async flush(): Promise<void> {
    const path = this.#path
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    const hasSpare =
      this.#stored + waiting.length > 1.25 * this.rows.size + SPARE || this.#replaced > 0.25 * this.#end + SPARE_BYTES
    const isStale = this.#isStale || hasSpare
    this.#isStale = false
    if (path === undefined || (waiting.length === 0 && !isStale)) return
    try {
      if (isStale || !this.isStored) await this.#rewrite(path)
      else await this.#append(path, waiting)
    } catch (error) {
      this.#onError(error, "write")
    }
  }

  #put(row: Row): void {
    const [key] = row.head
    this.#replaced += this.rows.get(key)?.head[1] ?? 0
    this.rows.set(key, row)
  }

  /** Reads a batch, or skips a line. @returns where the next one begins */
  #read(bytes: Buffer, at: number): number {
    const lineEnd = bytes.indexOf(LF, at)
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1
    if (bytes[at] === BRACE) this.#isOther = bytes.toString("utf8", at, next).trimEnd() !== this.#heading
    const heads = this.#isOther || bytes[at] !== BRACKET ? undefined : headsOf(bytes.toString("utf8", at, next))
    const end = heads?.reduce((sum, [, length]) => sum + length, next) ?? next
    const sumEnd = bytes.indexOf(LF, end)
    if (!heads || bytes.toString("latin1", end, sumEnd) !== sumOf(bytes.subarray(at, end))) {
      if (lineEnd > at) this.#stored += 1
      return next
    }
    let start = next
    for (const head of heads) {
      const [key, length] = head
      if (!this.#waiting.has(key)) this.#put(new Row(head, bytes, start))
      start += length
    }
    this.#stored += heads.length
    return sumEnd + 1
  }

  /** What follows that which was read; undefined where there is nothing. A shorter or another file is read from its start. */
  #appended(path: string): Buffer | undefined {
    try {
      const { file, stat } = openPlainSync(this.#fs, path, READ_NO_LINK)
      try {
        const size = Number(stat.size)
        if (size === this.#end) return undefined
        const from = size > this.#end ? this.#end : 0
        const bytes = Buffer.allocUnsafeSlow(size - from)
        const length = readWholeSync(file, bytes, from)
        this.#end = from + length
        return bytes.subarray(0, length)
      } finally {
        file.closeSync()
      }
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }

  #batchOf(keys: Iterable<string>): Buffer {
    const rows = [...keys].flatMap((key) => this.rows.get(key) ?? [])
    const heads = `${JSON.stringify(rows.map(({ head }) => head))}\n`
    const batch = Buffer.concat([Buffer.from(heads), ...rows.map(({ columns }) => columns)])
    return Buffer.concat([batch, Buffer.from(`${sumOf(batch)}\n`)])
  }

  async #append(path: string, keys: readonly string[]): Promise<void> {
    const file = await this.#fs.open(path, "a", FILE_MODE)
    try {
      await writeWhole(file, Buffer.concat([Buffer.from("\n"), this.#batchOf(keys)]), null)
    } finally {
      await file.close()
    }
    this.#stored += keys.length
  }

  async #rewrite(path: string): Promise<void> {
    const bytes = Buffer.concat([Buffer.from(`${this.#heading}\n`), this.#batchOf(this.rows.keys())])
    makeFolder(this.#fs, dirname(path))
    const token = process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex")
    const temp = `${path}.${token}.tmp`
    try {
      const file = await this.#fs.open(temp, "wx", FILE_MODE)
      try {
        await writeWhole(file, bytes, null)
      } finally {
        await file.close()
      }
      await this.#fs.rename(temp, path)
    } catch (error) {
      new TemporaryFiles(this.#fs).discard(temp)
      throw error
    }
    this.#end = bytes.length
    this.#stored = this.rows.size
    this.#replaced = 0
    this.#isOther = false
  }
}

function sumOf(bytes: Buffer): string {
  // Loaded when it is used: loading it takes a good part of what a list takes.
  return process.getBuiltinModule("node:zlib").crc32(bytes).toString(36)
}

/** Undefined for what is no line of heads. */
function headsOf(line: string): readonly RowHead[] | undefined {
  try {
    const heads = JSON.parse(line)
    return heads.every((head: RowHead | null) => head && head[1] > 0) ? heads : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
