import { dirname } from "node:path"
import { FILE_MODE, makeFolder } from "./folders.js"
import type { FsPort } from "./fs-port.js"
import { openPlainSync, READ_NO_LINK } from "./read-file.js"
import { isGone } from "./storage-error.js"
import { TemporaryFiles } from "./temporary-files.js"
import { readWholeSync, writeWhole } from "./whole-io.js"

// A log of lines, each with what is known of one key, and a checksum; a later line of a key counts. Why a crash, damage and other processes
// do no harm: lines are appended in one write that begins with a line end, so that one half written damages no other; a line that does not have
// its checksum is skipped; and what is missing is found out again. A rewrite may lose what another process appends meanwhile, which costs the same.

/** A log is rewritten when it has a quarter, and so many, more lines than rows: each process reads all of them. */
const SPARE = 100

const [TAB, LF, BRACE] = [0x09, 0x0a, 0x7b]

/** A row as it stands in the file: its head, and columns that are parsed when they are needed, since a list needs little of most rows. */
export class Row {
  /** The key, and what each list needs. */
  readonly head: readonly unknown[]
  /** Without the checksum. */
  readonly line: Buffer
  readonly #columnsAt: number
  readonly #values: unknown[] = []

  private constructor(line: Buffer, head: readonly unknown[], columnsAt: number) {
    this.line = line
    this.head = head
    this.#columnsAt = columnsAt
  }

  /** Undefined for what is not a row. */
  static from(line: Buffer): Row | undefined {
    const tab = line.indexOf(TAB)
    const head = tab === -1 ? undefined : parsed(line.toString("utf8", 0, tab))
    return Array.isArray(head) && typeof head[0] === "string" ? new Row(line, head, tab + 1) : undefined
  }

  /** JSON has no tabs. */
  static of(head: readonly unknown[], columns: readonly unknown[]): Row {
    const [start, ...rest] = [head, ...columns].map((value) => JSON.stringify(value ?? null))
    const line = Buffer.from([start, ...rest].join("\t"))
    return new Row(line, head, Buffer.byteLength(start ?? "") + 1)
  }

  /** The value of a column; undefined where there is none. */
  value(column: number): unknown {
    if (column in this.#values) return this.#values[column]
    let start = this.#columnsAt
    for (let at = 0; at < column && start > 0; at++) start = this.line.indexOf(TAB, start) + 1
    const end = this.line.indexOf(TAB, start)
    const text = this.line.toString("utf8", start, end === -1 ? this.line.length : end)
    this.#values[column] = start > 0 ? parsed(text) : undefined
    return this.#values[column]
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
  #lines = 0
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

  /** @param head what each list needs; the columns are parsed when they are needed */
  set(key: string, columns: readonly unknown[], head: readonly unknown[] = []): Row {
    const row = Row.of([key, ...head], columns)
    this.rows.set(key, row)
    this.#waiting.add(key)
    return row
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
      for (let at = 0; bytes && at < bytes.length; ) {
        const end = bytes.indexOf(LF, at)
        this.#read(bytes.subarray(at, end === -1 ? bytes.length : end))
        at = end === -1 ? bytes.length : end + 1
      }
    } catch (error) {
      this.#onError(error, "read")
    }
  }

  /** Stores what was set. */
  async flush(): Promise<void> {
    const path = this.#path
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    const isStale = this.#isStale || this.#lines + waiting.length > 1.25 * this.rows.size + SPARE
    this.#isStale = false
    if (path === undefined || (waiting.length === 0 && !isStale)) return
    try {
      if (isStale || !this.isStored) await this.#rewrite(path)
      else await this.#append(path, waiting)
    } catch (error) {
      this.#onError(error, "write")
    }
  }

  #read(line: Buffer): void {
    if (line.length === 0) return
    this.#lines += 1
    if (line[0] === BRACE) this.#isOther = line.toString() !== this.#heading
    if (this.#isOther || line[0] === BRACE) return
    const end = line.lastIndexOf(TAB)
    const content = line.subarray(0, Math.max(0, end))
    const row = line.toString("latin1", end + 1) === sumOf(content) ? Row.from(content) : undefined
    const key = row?.head[0] as string
    if (row && !this.#waiting.has(key)) this.rows.set(key, row)
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

  #linesOf(keys: Iterable<string>): Buffer[] {
    const lines: Buffer[] = []
    for (const key of keys) {
      const row = this.rows.get(key)
      if (row) lines.push(row.line, Buffer.from(`\t${sumOf(row.line)}\n`))
    }
    return lines
  }

  async #append(path: string, keys: readonly string[]): Promise<void> {
    const lines = this.#linesOf(keys)
    const file = await this.#fs.open(path, "a", FILE_MODE)
    try {
      await writeWhole(file, Buffer.concat([Buffer.from("\n"), ...lines]), null)
    } finally {
      await file.close()
    }
    this.#lines += keys.length
  }

  async #rewrite(path: string): Promise<void> {
    const bytes = Buffer.concat([Buffer.from(`${this.#heading}\n`), ...this.#linesOf(this.rows.keys())])
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
    this.#lines = this.rows.size
    this.#isOther = false
  }
}

function sumOf(bytes: Buffer): string {
  // Loaded when it is used: loading it takes a good part of what a list takes.
  return process.getBuiltinModule("node:zlib").crc32(bytes).toString(36)
}

/** Undefined for what cannot be parsed. */
function parsed(text = ""): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
