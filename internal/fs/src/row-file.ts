import { dirname } from "node:path"
import { identityOf } from "./file-identity.js"
import { FILE_MODE, makeFolder } from "./folders.js"
import type { FsPort } from "./fs-port.js"
import { openPlainSync, READ_NO_LINK } from "./read-file.js"
import { isGone } from "./storage-error.js"
import { discard } from "./temporary-files.js"
import { readWholeSync, writeWhole } from "./whole-io.js"

// A heading, and batches of rows: a line with the length of the batch in bytes and its checksum, a line with the heads of its rows as JSON, and
// the columns of each row, which are parsed when they are needed. Of a key, the last row counts.
//
// Why crashes, damage, full disks and other processes do no harm: whatever is in the file can be found out again. A batch is appended in one
// write. Reading ends at one that is incomplete or does not have its checksum, and what was read until then is written anew, under another name
// first. What another process appends meanwhile is lost.

/** A file is written anew when a quarter of it, and so much, was replaced: each process reads all of it. Bytes. */
const SPARE = 64 * 1024

const LF = 0x0a

/** What each list needs of a row: its key, how many bytes its columns have, and more. */
type RowHead = readonly [key: string, length: number, ...more: unknown[]]

export class Row {
  readonly head: RowHead
  readonly #bytes: Buffer
  readonly #start: number

  /** @param start where the columns begin in the bytes, each after a tab, which JSON does not have */
  constructor(head: RowHead, bytes: Buffer, start: number) {
    this.head = head
    this.#bytes = bytes
    this.#start = start
  }

  /** @param more of the head: what each list needs; the columns are parsed when they are needed */
  static of(key: string, more: readonly unknown[], columns: readonly unknown[]): Row {
    const bytes = Buffer.from(`${columns.map((value) => `\t${JSON.stringify(value ?? null)}`).join("")}\n`)
    return new Row([key, bytes.length, ...more], bytes, 0)
  }

  get columns(): Buffer {
    return this.#bytes.subarray(this.#start, this.#start + this.head[1])
  }

  equals(other: Row): boolean {
    return this.columns.equals(other.columns) && JSON.stringify(this.head) === JSON.stringify(other.head)
  }

  /** Parses the value of a column; undefined where there is none. */
  value(column: number): unknown {
    const text = this.columns.toString().split("\t", column + 2)[column + 1]
    return text && JSON.parse(text)
  }
}

export interface RowFileOptions {
  /** An absolute path; undefined keeps everything in memory. */
  readonly path: string | undefined
  /** What the rows are about, and in which form: a file with another heading is read as empty. */
  readonly heading: object
  /** Called with each error of the file system: the rows are in memory anyway. */
  readonly onError: (error: unknown, operation: "read" | "write") => void
}

/** Rows by key, kept in a file that several processes read and write, and that may be deleted at any time. */
export class RowFile {
  readonly rows = new Map<string, Row>()
  readonly #fs: FsPort
  readonly #path: string | undefined
  readonly #heading: Buffer
  readonly #onError: RowFileOptions["onError"]
  readonly #waiting = new Set<string>()
  /** Which file was read, and how much of it. Bytes. */
  #identity = ""
  #end = 0
  /** Bytes of rows that were replaced. */
  #replaced = 0
  /** Whether the file is damaged, is about something else, or has rows that were deleted. */
  #isStale = false

  constructor(fs: FsPort, { path, heading, onError }: RowFileOptions) {
    this.#fs = fs
    this.#path = path
    this.#heading = Buffer.from(`${JSON.stringify(heading)}\n`)
    this.#onError = onError
  }

  /** Stores nothing that is stored already. */
  put(row: Row): void {
    if (this.rows.get(row.head[0])?.equals(row)) return
    this.#replace(row)
    this.#waiting.add(row.head[0])
  }

  /** Forgets a row: with the next `flush`, the file does, too. */
  delete(key: string): void {
    if (this.rows.delete(key)) this.#isStale = true
    this.#waiting.delete(key)
  }

  /** Reads what this process and others have stored since the last call: without promises, as a list stats its sessions. */
  load(): void {
    if (this.#path === undefined) return
    try {
      this.#readFrom(this.#path)
    } catch (error) {
      if (!isGone(error)) this.#onError(error, "read")
    }
  }

  /** Stores what was put. */
  async flush(): Promise<void> {
    const path = this.#path
    const waiting = [...this.#waiting]
    const isStale = this.#isStale || this.#replaced > SPARE + this.#end / 4
    this.#waiting.clear()
    this.#isStale = false
    if (path === undefined || (waiting.length === 0 && !isStale)) return
    try {
      if (isStale || this.#end === 0) await this.#rewrite(path)
      else await this.#append(path, this.#batchOf(waiting))
    } catch (error) {
      this.#onError(error, "write")
    }
  }

  #replace(row: Row): void {
    const [key] = row.head
    this.#replaced += this.rows.get(key)?.head[1] ?? 0
    this.rows.set(key, row)
  }

  /** Reads what follows that which was read. A shorter or another file is read from its start. */
  #readFrom(path: string): void {
    const found = this.#fs.lstatSync(path)
    if (!found || (Number(found.size) === this.#end && identityOf(found) === this.#identity)) return
    const { file, stat } = openPlainSync(this.#fs, path, READ_NO_LINK)
    try {
      const [size, identity] = [Number(stat.size), identityOf(stat)]
      const from = identity === this.#identity && size >= this.#end ? this.#end : 0
      const bytes = Buffer.allocUnsafeSlow(size - from)
      const length = readWholeSync(file, bytes, from)
      this.#identity = identity
      this.#end = from + length
      this.#read(bytes.subarray(0, length), from === 0)
    } finally {
      file.closeSync()
    }
  }

  #read(bytes: Buffer, isStart: boolean): void {
    let at = isStart ? this.#heading.length : 0
    let isWhole = !isStart || this.#heading.equals(bytes.subarray(0, at))
    while (isWhole && at < bytes.length) {
      const start = bytes.indexOf(LF, at) + 1
      const [length, sum] = bytes.toString("latin1", at, Math.max(at, start - 1)).split(" ")
      at = start + Number(length)
      const batch = bytes.subarray(start, at)
      isWhole = start > 0 && at <= bytes.length && sum === sumOf(batch)
      if (isWhole) this.#readBatch(batch)
    }
    this.#isStale ||= !isWhole
  }

  #readBatch(batch: Buffer): void {
    let start = batch.indexOf(LF) + 1
    for (const head of JSON.parse(batch.toString("utf8", 0, start)) as RowHead[]) {
      if (!this.#waiting.has(head[0])) this.#replace(new Row(head, batch, start))
      start += head[1]
    }
  }

  #batchOf(keys: Iterable<string>): Buffer {
    const rows = [...keys].flatMap((key) => this.rows.get(key) ?? [])
    const heads = Buffer.from(`${JSON.stringify(rows.map(({ head }) => head))}\n`)
    const batch = Buffer.concat([heads, ...rows.map(({ columns }) => columns)])
    return Buffer.concat([Buffer.from(`${batch.length} ${sumOf(batch)}\n`), batch])
  }

  async #append(path: string, batch: Buffer): Promise<void> {
    const file = await this.#fs.open(path, "a", FILE_MODE)
    try {
      await writeWhole(file, batch, null)
    } finally {
      await file.close()
    }
  }

  async #rewrite(path: string): Promise<void> {
    const bytes = Buffer.concat([this.#heading, this.#batchOf(this.rows.keys())])
    makeFolder(this.#fs, dirname(path))
    const token = process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex")
    const temp = `${path}.${token}.tmp`
    try {
      const file = await this.#fs.open(temp, "wx", FILE_MODE)
      try {
        await writeWhole(file, bytes, null)
        this.#identity = identityOf(await file.stat({ bigint: true }))
      } finally {
        await file.close()
      }
      await this.#fs.rename(temp, path)
    } catch (error) {
      discard(this.#fs, temp)
      throw error
    }
    this.#end = bytes.length
    this.#replaced = 0
  }
}

function sumOf(bytes: Buffer): string {
  // Loaded when it is used: loading it takes a good part of what a list takes.
  return process.getBuiltinModule("node:zlib").crc32(bytes).toString(36)
}
