import { dirname } from "node:path"
import { isCurrentSummary, type SummaryState } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FsPort,
  isGone,
  makeFolder,
  openPlain,
  READ_NO_LINK,
  readWhole,
  TemporaryFiles,
  writeWhole,
} from "@treelog-internal/fs"
import type { FileNotes } from "./agent-source.js"
import { token } from "./digest.js"

// A log of JSON lines, each with what is known of one session; a later line of a session counts. Why a crash, damage and other processes
// do no harm: a line is appended in one write that begins with a line end, so that one half written damages no other; what cannot be
// parsed is skipped; and what is missing is found out again. A rewrite may lose what another process appends meanwhile, which costs the
// same.

/** Incremented when lines mean something else. */
const VERSION = 1
/** A log with more lines than sessions is rewritten when it has a quarter, and so many, more: each list reads all of them. */
const SPARE = 500

/** What a session was converted to. */
export interface ConvertedState {
  /** The version of the source and of the conversion. */
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly identity: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
}

interface Row {
  /** Of the source: of a file, which need not be a session. */
  note?: { readonly version: string; readonly value: object }
  summary?: { readonly version: string; readonly state: SummaryState }
  converted?: ConvertedState
}

/** A line of the log. */
type Line = { readonly key: string } & Row

/** What is known of the sessions of one folder, kept in a file. */
export class SessionTable implements FileNotes {
  readonly #fs: FsPort
  readonly #path: string | undefined
  readonly #onError: (error: unknown) => void
  readonly #rows = new Map<string, Row>()
  /** Files whose notes were asked for. */
  readonly #noted = new Set<string>()
  #lines: Line[] = []
  /** How much of the file was read. Bytes. */
  #end = 0
  #count = 0
  #isOther = false

  /** @param path undefined keeps everything in memory */
  constructor(fs: FsPort, path: string | undefined, onError: (error: unknown) => void) {
    this.#fs = fs
    this.#path = path
    this.#onError = onError
  }

  /** Of this version of the source. */
  summary(key: string, version: string): SummaryState | undefined {
    const found = this.#rows.get(key)?.summary
    return found?.version === version ? found.state : undefined
  }

  /** Whatever the version is. */
  converted(key: string): ConvertedState | undefined {
    return this.#rows.get(key)?.converted
  }

  get(path: string, version: string): object | undefined {
    this.#noted.add(path)
    const found = this.#rows.get(path)?.note
    return found?.version === version ? found.value : undefined
  }

  put(path: string, version: string, note: object): void {
    this.#put({ key: path, note: { version, value: note } })
  }

  putSummary(key: string, version: string, state: SummaryState): void {
    this.#put({ key, summary: { version, state } })
  }

  putConverted(key: string, converted: ConvertedState): void {
    this.#put({ key, converted })
  }

  /** Forgets all sessions but these, and all files whose notes nobody asked for. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#rows.keys()) if (!keys.has(key) && !this.#noted.has(key)) this.#rows.delete(key)
  }

  /** Reads what this process and others have appended since the last call. */
  async load(): Promise<void> {
    await this.#unlessFaulty(async (path) => {
      const bytes = await this.#appended(path)
      if (!bytes) return
      for (const line of new TextDecoder().decode(bytes).split("\n")) this.#read(line)
    })
  }

  /** Stores what was put. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    this.#lines = []
    await this.#unlessFaulty(async (path) => {
      const isLong = this.#count + lines.length > 1.25 * this.#rows.size + SPARE
      if (isLong || this.#isOther || this.#end === 0) await this.#rewrite(path)
      else await this.#append(path, lines)
    })
  }

  #put(line: Line): void {
    this.#take(line)
    this.#lines.push(line)
  }

  #take({ key, note, summary, converted }: Line): void {
    const row = this.#rows.get(key) ?? {}
    if (summary && isCurrentSummary(summary.state)) row.summary = summary
    if (converted) row.converted = converted
    if (note) row.note = note
    this.#rows.set(key, row)
  }

  /** The bytes that follow those that were read; undefined where there are none. A shorter or another file is read from its start. */
  async #appended(path: string): Promise<Uint8Array | undefined> {
    const opened = await openPlain(this.#fs, path, READ_NO_LINK).catch((error: unknown) => {
      if (isGone(error)) return undefined
      throw error
    })
    if (!opened) return undefined
    try {
      const size = Number(opened.stat.size)
      if (size === this.#end) return undefined
      const from = size > this.#end ? this.#end : 0
      const bytes = new Uint8Array(size - from)
      const length = await readWhole(opened.file, bytes, from)
      this.#end = from + length
      return bytes.subarray(0, length)
    } finally {
      await opened.file.close()
    }
  }

  #read(text: string): void {
    if (text === "") return
    this.#count += 1
    const line = parsed(text)
    if (line === undefined) return
    if ("table" in line) this.#isOther = line.table !== VERSION
    else if (!this.#isOther && isLine(line)) this.#take(line)
  }

  async #append(path: string, lines: readonly Line[]): Promise<void> {
    const bytes = new TextEncoder().encode(`${lines.map((line) => `\n${JSON.stringify(line)}`).join("")}\n`)
    const file = await this.#fs.open(path, "a", FILE_MODE)
    try {
      await writeWhole(file, bytes, null)
    } finally {
      await file.close()
    }
    this.#count += lines.length
  }

  async #rewrite(path: string): Promise<void> {
    const rows = [...this.#rows].map(([key, row]) => `${JSON.stringify({ key, ...row })}\n`)
    const bytes = new TextEncoder().encode(`${JSON.stringify({ table: VERSION })}\n${rows.join("")}`)
    makeFolder(this.#fs, dirname(path))
    const temp = `${path}.${token()}.tmp`
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
    this.#count = rows.length
    this.#isOther = false
  }

  async #unlessFaulty(work: (path: string) => Promise<void>): Promise<void> {
    if (this.#path === undefined) return
    try {
      await work(this.#path)
    } catch (error) {
      this.#onError(error)
    }
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : undefined
  } catch (error) {
    // Half a line of a process that was killed.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isLine(line: object): line is Line {
  const { key, note, summary, converted } = line as Partial<Line>
  const isNote =
    note === undefined || (typeof note?.version === "string" && typeof note.value === "object" && note.value !== null)
  const isSummary =
    summary === undefined || (typeof summary?.version === "string" && typeof summary.state?.info === "object")
  const isConverted =
    converted === undefined ||
    (typeof converted?.version === "string" &&
      Number.isSafeInteger(converted.size) &&
      typeof converted.identity === "string" &&
      typeof converted.digest === "string")
  return typeof key === "string" && isNote && isSummary && isConverted
}
