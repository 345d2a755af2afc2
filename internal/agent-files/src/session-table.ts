import { isCurrentSummary, type SessionFacts, type SummaryState } from "@treelog/session-core/adapter"
import { type FsPort, type Row, RowLog } from "@treelog-internal/fs"
import type { FileNotes } from "./agent-source.js"

/** Incremented when rows mean something else. */
const HEADING = { treelog: "agent sessions", version: 6 }

/** What a session was converted to. */
export interface ConvertedState {
  /** The version of the source and of the conversion. */
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly identity: string
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  /** Undefined of what is no session. */
  readonly counts?: SessionCounts | undefined
}

/** What only those know of a session who have read all of it. */
export type SessionCounts = { readonly [Key in "messageCount" | "model" | "usages"]: SessionFacts[Key] | undefined }

/** The columns of a row. */
const [NOTE, SUMMARY, COUNTS] = [0, 1, 2] as const

/** What the head of a row has of its own: what each scan compares and sorts by. */
type Head = readonly [
  /** The version of the source that was summarized, and what lists need of each summary. */
  summarized: string | null,
  summaryVersion: number,
  modified: number,
  cwd: string | null,
  kind: "sdk" | "subtask" | "empty" | "archived" | null,
  /** The conversion. */
  version: string | null,
  size: number,
  identity: string,
  digest: string,
]

const NO_HEAD: Head = [null, 0, 0, null, null, null, 0, "", ""]

/** A summary, as a row has it. */
function storedSummary(row: Row, [, version, modified, cwd, kind]: Head): SummaryState {
  const stored = () => row.value(SUMMARY) as SummaryState
  return {
    ...{ version, modified, cwd: cwd ?? undefined, kind: kind ?? undefined },
    get info() {
      return stored().info
    },
    get resume() {
      return stored().resume
    },
  }
}

/** What a session was converted to, as a row has it. */
function storedConversion(row: Row, version: string, [, , , , , , size, identity, digest]: Head): ConvertedState {
  return {
    ...{ version, size, identity, digest },
    get counts() {
      return (row.value(COUNTS) ?? undefined) as SessionCounts | undefined
    },
  }
}

/** What is known of the sessions of one folder, kept in a file. */
export class SessionTable implements FileNotes {
  readonly #log: RowLog
  /** Files whose notes were asked for. */
  readonly #noted = new Set<string>()
  #isLoaded = false

  /** @param path undefined keeps everything in memory */
  constructor(
    fs: FsPort,
    path: string | undefined,
    { folder, onError }: { readonly folder: string; readonly onError: (error: unknown) => void },
  ) {
    this.#log = new RowLog(fs, path, { heading: { ...HEADING, folder }, onError })
  }

  /** The summary of this version of the source; undefined where there is none of this release. */
  summary(key: string, version: string): SummaryState | undefined {
    const row = this.#log.rows.get(key)
    const head = headOf(row)
    const isKnown = row && head[0] === version && isCurrentSummary({ version: head[1] })
    return isKnown ? storedSummary(row, head) : undefined
  }

  /** Whatever the version is. */
  converted(key: string): ConvertedState | undefined {
    const row = this.#log.rows.get(key)
    const head = headOf(row)
    const version = head[5]
    return row && version !== null ? storedConversion(row, version, head) : undefined
  }

  get(path: string, version: string): object | undefined {
    this.#noted.add(path)
    // A row that is put before the stored one was read would replace all of its columns.
    if (!this.#isLoaded) this.load()
    const found: unknown = this.#log.rows.get(path)?.value(NOTE)
    if (!Array.isArray(found) || found[0] !== version) return undefined
    const value: unknown = found[1]
    return typeof value === "object" && value !== null ? value : undefined
  }

  put(path: string, version: string, note: object): void {
    this.#put(path, NOTE, [version, note])
  }

  putSummary(key: string, version: string, state: SummaryState): void {
    const [, , , , , ...conversion] = headOf(this.#log.rows.get(key))
    const { modified, cwd = null, kind = null } = state
    this.#put(key, SUMMARY, state, [version, state.version, modified, cwd, kind, ...conversion])
  }

  putConverted(key: string, { version, size, identity, digest, counts }: ConvertedState): void {
    const [summarized, summaryVersion, modified, cwd, kind] = headOf(this.#log.rows.get(key))
    const head: Head = [summarized, summaryVersion, modified, cwd, kind, version, size, identity, digest]
    this.#put(key, COUNTS, counts, head)
  }

  /** Forgets all sessions but these, and all files whose notes nobody asked for. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#log.rows.keys()) if (!keys.has(key) && !this.#noted.has(key)) this.#log.delete(key)
  }

  /** Reads what this process and others have stored since the last call. */
  load(): void {
    this.#isLoaded = true
    this.#log.load()
  }

  /** Stores what was put. */
  flush(): Promise<void> {
    return this.#log.flush()
  }

  #put(key: string, column: number, value: unknown, head = headOf(this.#log.rows.get(key))): void {
    const row = this.#log.rows.get(key)
    const values = [NOTE, SUMMARY, COUNTS].map((each) => (each === column ? value : row?.value(each)))
    this.#log.set(key, values, head)
  }
}

function headOf(row: Row | undefined): Head {
  return row ? (row.head.slice(2) as unknown as Head) : NO_HEAD
}
