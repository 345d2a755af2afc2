import { FileOperations } from "../context/file-operations.js"
import { CURRENT_VERSION, givenName, type SessionEntry, type SessionHeader } from "../entry/entry.js"
import { sourceOf } from "../entry/session-origin.js"
import { millisOf, textIn } from "../entry/values.js"
import { isTreelogError, type TreelogError } from "../errors.js"
import { fingerprint } from "../log/bytes.js"
import type { Line } from "../log/line.js"
import { type LogRecord, parseLine, toEntry } from "../log/parse-line.js"
import { type LogOutline, LogReader } from "../log/session-log.js"
import { LineSplitter } from "../log/split-lines.js"
import { migrate } from "../migrate/migrate.js"
import type { IndexedSession } from "../ports/session-index.js"
import type { FoundSession } from "../ports/session-source.js"
import { repositoryIn } from "../session/listing/is-of-folder.js"
import { noHeaderError } from "../session/reader/read-stored.js"
import type { ResumableReader } from "../session/reader/resume-reading.js"
import { type EntryFacts, entryFacts, type PlacedFacts } from "./entry-facts.js"
import type { IndexSource } from "./index-source.js"
import type { IndexedState } from "./index-tables.js"
import { type CutFacts, markedCut } from "./whole-texts.js"

/** What an index keeps of a session, apart from its entries and its key. */
export type SessionHead = Omit<IndexedSession, "key">

/** What an index keeps of a session by its header. @param title in place of the one that it has */
export function sessionHead(
  header: SessionHeader,
  { project, part }: Pick<FoundSession, "project" | "part">,
  { name: source = "", agent = "" }: Pick<IndexSource, "name" | "agent">,
  title = textIn(header.title),
): SessionHead {
  const { agent: by = agent, person } = sourceOf(header)
  return {
    id: header.id,
    cwd: textIn(header.cwd),
    project,
    ...(repositoryIn(header) !== "" && { repository: repositoryIn(header) }),
    name: title,
    created: millisOf(header.timestamp),
    ...(source !== "" && { source }),
    ...(by !== "" && { agent: by }),
    ...(person !== undefined && { person }),
    ...(textIn(header.parentSession) !== "" && { parentSession: textIn(header.parentSession) }),
    ...(part && { part }),
  }
}

/** What a part used has its role. */
export function factsInPart(facts: EntryFacts, part: FoundSession["part"]): EntryFacts {
  return part ? { ...facts, usages: facts.usages.map((usage) => ({ ...usage, role: part.role })) } : facts
}

/** The result of a call is among so many messages behind it, or is not waited for. What agents note between them is not counted. */
const MOST_BETWEEN = 50

/** An entry whose calls name files and have no results so far: those that fail change nothing. */
interface WaitingEntry {
  readonly facts: PlacedFacts
  readonly files: FileOperations
  /** Of the session before it. */
  readonly name: string
  /** Where its line begins. Bytes. */
  readonly lineStart: number
  /** How many messages were read with it and before it. */
  readonly count: number
}

/**
 * Derives what an index keeps of a session, as its bytes are pushed. Reading resumes before an entry with calls that wait for their
 * results, so that its facts are stored again with what the results say. Entries of an older version are migrated, so that they have the
 * ids by which they are opened: they are given once all bytes were pushed, and reading them cannot resume.
 */
export class SessionFactsReader implements ResumableReader {
  readonly #found: Pick<FoundSession, "key" | "project" | "part">
  readonly #source: Pick<IndexSource, "name" | "agent">
  /** The names of its own parts. */
  readonly #parts: ReadonlySet<string> | undefined
  readonly #lines: LineSplitter
  readonly #log: LogReader
  #session: SessionHead | undefined
  #outline: LogOutline | undefined
  #error: TreelogError | undefined
  #facts: (PlacedFacts | CutFacts)[] = []
  #waiting: WaitingEntry[] = []
  #count = 0
  #lineStart = 0
  #lineEnd: number
  /** The records of a session of an older version. */
  #old: { readonly record: LogRecord; readonly digest: number }[] | undefined
  headerEnd = 0

  /**
   * @param source whose session it is
   * @param parts the names of its parts
   * @param former what was known when reading stopped, if it resumes there
   */
  constructor(
    found: Pick<FoundSession, "key" | "project" | "part">,
    source: Pick<IndexSource, "name" | "agent">,
    parts: ReadonlySet<string> | undefined,
    former?: Pick<IndexedState, "session" | "nameAtMark" | "mark">,
  ) {
    this.#found = found
    this.#source = source
    this.#parts = parts
    this.#log = new LogReader(found.key)
    if (former) {
      const { key: _, ...session } = former.session
      this.#session = { ...session, name: former.nameAtMark }
    }
    this.headerEnd = former?.mark.headSize ?? 0
    this.#lineEnd = former?.mark.size ?? 0
    this.#lines = new LineSplitter({ line: 1, offset: this.#lineEnd })
  }

  get end(): number {
    return this.#waiting[0]?.lineStart ?? this.#lineEnd
  }

  /** The name of the session at `end`; undefined before the header was read. */
  get nameAtEnd(): string | undefined {
    return this.#waiting[0]?.name ?? this.#session?.name
  }

  /** Whether nothing more is read. */
  get hasFailed(): boolean {
    return this.#error !== undefined || this.isCounted
  }

  /** Whether it is a part whose texts and usage the session has in entries of its own, as sessions that were converted do. */
  get isCounted(): boolean {
    return this.#found.part !== undefined && this.#outline?.header.countedIn !== undefined
  }

  /** Whether the facts come at the end, all at once. */
  get isOld(): boolean {
    return this.#old !== undefined
  }

  /** Undefined before the header was read. */
  get session(): SessionHead | undefined {
    return this.#session
  }

  /** Why this is no session; known at the latest when all was pushed. */
  get error(): TreelogError | undefined {
    return this.#error
  }

  push(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) {
      this.#read(line)
      if (this.hasFailed) return
      this.#lineEnd = line.end
    }
  }

  /** The facts of entries that have any, since the last call. @param before where reading would resume. Bytes. */
  take(before: number): (PlacedFacts | CutFacts)[] {
    const left = this.#facts.findIndex(({ offset }) => offset >= before)
    return this.#facts.splice(0, left === -1 ? this.#facts.length : left)
  }

  /** The facts that are left: of a last line without a line end, which may be half written and is read again; of a session of an older version, all. */
  finish(): (PlacedFacts | CutFacts)[] {
    for (const line of this.hasFailed ? [] : this.#lines.finish()) this.#read(line)
    if (!this.#session) this.#error ??= noHeaderError(this.#log, this.#found.key)
    if (this.#old && this.#outline) this.#addMigrated(this.#outline, this.#old)
    return this.take(Number.POSITIVE_INFINITY)
  }

  #read(line: Line): void {
    this.#lineStart = line.offset
    try {
      const records = this.headerEnd === 0 ? this.#readHeader(line) : parseLine(line).records
      for (const record of records) {
        if (record.value.type === "session") continue
        const digest = digestOf(record, line)
        if (this.#old) this.#old.push({ record, digest })
        else this.#add(record, digest)
      }
    } catch (error) {
      if (!isTreelogError(error, "InvalidSessionError")) throw error
      this.#error = error
    }
  }

  /** What stands behind the header, if it is on this line. */
  #readHeader(line: Line): LogRecord[] {
    const records = this.#log.push(line)
    this.#outline = this.#log.header && this.#log.finish()
    if (!this.#outline) return records
    const { header, titleSlot } = this.#outline
    this.headerEnd = line.end
    this.#session = sessionHead(header, this.#found, this.#source, titleSlot?.title)
    if (typeof this.#outline.version === "number" && this.#outline.version < CURRENT_VERSION) this.#old = []
    return records
  }

  #addMigrated(outline: LogOutline, old: readonly { readonly record: LogRecord; readonly digest: number }[]): void {
    const { records } = migrate({ ...outline, records: old.map(({ record }) => record) })
    for (const [at, record] of records.entries()) this.#add(record, old[at]?.digest ?? 0)
  }

  #add(record: LogRecord, digest: number): void {
    const entry = record.lost === undefined ? toEntry(record) : undefined
    if (!entry) return
    this.#addResult(entry)
    const before = this.#session?.name ?? ""
    const name = givenName(entry)
    if (this.#session && name !== undefined) this.#session = { ...this.#session, name }
    const found = factsInPart(entryFacts(entry, this.#parts), this.#found.part)
    const countOfFiles = found.readFiles.length + found.changedFiles.length
    if (found.texts.length + found.usages.length + countOfFiles === 0) return
    const { offset, length } = record.place
    const facts = markedCut(entry, Object.assign(found, { offset, length, digest }))
    this.#facts.push(facts)
    if (countOfFiles === 0) return
    const files = new FileOperations()
    files.addEntry(entry)
    if (files.isWaiting)
      this.#waiting.push({ facts, files, name: before, lineStart: this.#lineStart, count: this.#count })
  }

  /** Entries whose results are all there, and those too far back, wait no longer. */
  #addResult(entry: SessionEntry): void {
    if (entry.type === "message") this.#count += 1
    for (const { facts, files } of this.#waiting) {
      if (!files.addResult(entry)) continue
      const { readFiles, modifiedFiles } = files.lists()
      Object.assign(facts, { readFiles, changedFiles: modifiedFiles })
    }
    this.#waiting = this.#waiting.filter(({ files, count }) => files.isWaiting && this.#count - count <= MOST_BETWEEN)
  }
}

function digestOf({ place }: LogRecord, line: Line): number {
  const from = place.offset - line.offset
  return fingerprint(line.bytes.subarray(from, from + place.length))
}
