import { isCurrentSummary, type SessionFacts, type SummaryState } from "@treelog/session-core/adapter"
import { type FsPort, RowLog } from "@treelog-internal/fs"
import type { FileNotes } from "./agent-source.js"

/** Incremented when rows mean something else. */
const HEADING = { treelog: "agent sessions", version: 3 }

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
const [NOTE, SUMMARY, CONVERTED] = [0, 1, 2] as const

/** What is known of the sessions of one folder, kept in a file. */
export class SessionTable implements FileNotes {
  readonly #log: RowLog
  /** Files whose notes were asked for. */
  readonly #noted = new Set<string>()
  #isLoaded = false

  /** @param path undefined keeps everything in memory */
  constructor(fs: FsPort, path: string | undefined, onError: (error: unknown) => void) {
    this.#log = new RowLog(fs, path, { heading: HEADING, onError })
  }

  /** Of this version of the source. */
  summary(key: string, version: string): SummaryState | undefined {
    const state = this.#versioned(key, SUMMARY, version) as SummaryState | undefined
    return state && typeof state.info === "object" && isCurrentSummary(state) ? state : undefined
  }

  /** Whatever the version is. */
  converted(key: string): ConvertedState | undefined {
    const found = this.#log.rows.get(key)?.value(CONVERTED) as Partial<ConvertedState> | null | undefined
    const { version, size, identity, digest, counts } = found ?? {}
    if (typeof version !== "string" || typeof identity !== "string" || typeof digest !== "string") return undefined
    return size !== undefined && Number.isSafeInteger(size) ? { version, size, identity, digest, counts } : undefined
  }

  get(path: string, version: string): object | undefined {
    this.#noted.add(path)
    // A row that is put before the stored one was read would replace all of its columns.
    if (!this.#isLoaded) this.#load()
    return this.#versioned(path, NOTE, version)
  }

  put(path: string, version: string, note: object): void {
    this.#put(path, NOTE, [version, note])
  }

  putSummary(key: string, version: string, state: SummaryState): void {
    this.#put(key, SUMMARY, [version, state])
  }

  putConverted(key: string, converted: ConvertedState): void {
    this.#put(key, CONVERTED, converted)
  }

  /** Forgets all sessions but these, and all files whose notes nobody asked for. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#log.rows.keys()) if (!keys.has(key) && !this.#noted.has(key)) this.#log.delete(key)
  }

  /** Reads what this process and others have stored since the last call. */
  async load(): Promise<void> {
    this.#load()
  }

  /** Stores what was put. */
  flush(): Promise<void> {
    return this.#log.flush()
  }

  #load(): void {
    this.#isLoaded = true
    this.#log.load()
  }

  #put(key: string, column: number, value: unknown): void {
    const row = this.#log.rows.get(key)
    const values = [NOTE, SUMMARY, CONVERTED].map((each) => (each === column ? value : row?.value(each)))
    this.#log.set(key, values)
  }

  #versioned(key: string, column: number, version: string): object | undefined {
    const found: unknown = this.#log.rows.get(key)?.value(column)
    if (!Array.isArray(found) || found[0] !== version) return undefined
    const value: unknown = found[1]
    return typeof value === "object" && value !== null ? value : undefined
  }
}
