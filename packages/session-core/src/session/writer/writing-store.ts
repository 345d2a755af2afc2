import type { SessionEntry } from "../../entry/entry.js"
import type { SessionHeader } from "../../entry/header.js"
import { CURRENT_VERSION } from "../../entry/header.js"
import { formatRecord } from "../../log/format-line.js"
import type { Line, Place } from "../../log/line.js"
import type { SessionLog } from "../../log/session-log.js"
import { isPlainLine, sanitizeLine } from "../../persist/sanitize-line.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import { addRecord } from "../load-state.js"
import { readStoredLog } from "../reader/read-stored.js"
import { changed, StoredTail } from "../reader/stored-tail.js"
import type { SessionContent } from "../session-content.js"
import type { SessionState } from "../session-state.js"
import { AppendedEntries } from "./appended-entries.js"
import { LineQueue } from "./line-queue.js"
import type { RetryOptions, SessionStore } from "./session-store.js"
import { SessionWriter, type WriterOptions, type WriterStart } from "./session-writer.js"
import type { WriterHost } from "./writer-host.js"

/** The store of a session that is written: own entries go to the writer, those of others are taken in. */
export class WritingStore implements SessionStore, WriterHost {
  readonly #storage: SessionStorage
  readonly #content: SessionContent
  readonly #state: SessionState
  readonly #appended: AppendedEntries
  readonly #writer: SessionWriter
  readonly #isShared: boolean
  readonly #blobs: BlobStore | undefined
  /** The entries that were appended through this object. */
  readonly #own: SessionEntry[] = []

  constructor(
    storage: SessionStorage,
    key: string,
    content: SessionContent,
    options: WriterOptions,
    stored: WriterStart = {},
    blobs?: BlobStore,
  ) {
    this.#storage = storage
    this.#content = content
    this.#state = content.state
    this.#appended = new AppendedEntries(content.state)
    this.#blobs = blobs
    this.#isShared = options.access === "shared"
    this.#writer = new SessionWriter(storage, key, options, this, stored)
  }

  get key(): string {
    return this.#writer.key
  }

  get folder(): string {
    return this.#storage.folderOf(this.key)
  }

  get identity(): string | undefined {
    return this.#writer.identity
  }

  get pending(): number {
    return this.#writer.pending
  }

  get isClosed(): boolean {
    return this.#writer.isClosed
  }

  assertWritable(): void {
    this.#writer.assertWritable()
  }

  enqueue(entry: SessionEntry, text: string): void {
    this.#writer.enqueue(entry, text)
    this.#own.push(entry)
  }

  withExclusiveWrite<T>(work: () => T): Promise<T> {
    return this.#writer.withExclusiveWrite(work)
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  retry({ recreate = false }: RetryOptions): Promise<void> {
    return this.#writer.retry(() => this.#reload(), recreate)
  }

  async saveAs(key: string): Promise<void> {
    await this.#writer.saveAs(key)
    this.#appended.followKey()
  }

  async refresh(): Promise<SessionEntry[]> {
    await this.#writer.refresh()
    return this.#appended.takeNews()
  }

  watch(signal: AbortSignal): AsyncGenerator<SessionEntry> {
    const session = { storage: this.#storage, key: () => this.key, refresh: () => this.#writer.refresh() }
    return this.#appended.watch(session, signal)
  }

  async close(): Promise<void> {
    try {
      await this.#writer.close()
    } finally {
      if (this.isClosed) this.#appended.endWatches()
    }
  }

  async discard(): Promise<void> {
    this.#appended.endWatches()
    await this.#writer.discard()
  }

  /** The title of omp's line before the header becomes the header's, since that line is written by omp alone. */
  header(): SessionHeader {
    const { header, titleSlot } = this.#content
    return titleSlot?.title ? { ...header, title: titleSlot.title } : header
  }

  everything(): LineQueue {
    const lines = new LineQueue()
    for (const entry of this.#state.entries()) {
      const text = formatRecord(entry)
      lines.add(entry, text, isPlainLine(text))
    }
    return lines
  }

  storedAnew(places: readonly Place[]): void {
    this.#state.storedAnew(places)
  }

  /** Own entries keep the parents that they were made on; the leaf stays. */
  absorb(lines: readonly Line[]): void {
    const added = this.#appended.absorb(lines)
    const first = lines[0]
    if (this.#isShared || !first || added.length === 0) return
    const message = `Another program appended ${added.length} entries from line ${first.number} on, without a lease; they were read in.`
    this.#state.report({ kind: "foreign-append", line: first.number, offset: first.offset, message })
  }

  isPlain(text: string): boolean {
    return isPlainLine(text)
  }

  async prepare(line: string): Promise<string> {
    return sanitizeLine(line, this.#blobs)
  }

  isPlaced(entry: SessionEntry): boolean {
    return this.#state.isPlaced(entry)
  }

  placed(entry: SessionEntry, place: Place): void {
    this.#state.placed(entry, { place, verbatim: true })
  }

  /** Reads a file that took the place of ours: its entries are taken in, and those of ours that it lacks are queued again. */
  async #reload(): Promise<StoredTail> {
    const stat = await this.#storage.stat(this.key)
    const log = stat && (await readStoredLog(this.#storage, this.key, stat))
    if (!stat || !log) throw changed(this.key, "gone")
    if (log.header.id !== this.#content.header.id || log.version !== CURRENT_VERSION)
      throw changed(this.key, "replaced")
    this.#takeOver(log)
    return new StoredTail(this.#storage, this.key, stat, log.end)
  }

  #takeOver(log: SessionLog): void {
    this.#state.readAll()
    const found = new Set<unknown>()
    for (const record of log.records.filter(({ lost }) => !lost)) {
      const { id } = record.value
      found.add(id)
      const entry = typeof id === "string" ? this.#state.entry(id) : undefined
      if (entry) this.#state.placed(entry, { place: record.place, verbatim: true })
      else addRecord(this.#state, record, true)
    }
    const lost = this.#own.filter((entry) => this.#state.isPlaced(entry) && !found.has(entry.id))
    for (const entry of lost) this.#state.placed(entry, undefined)
    this.#writer.requeue(lost.map((entry) => ({ entry, text: formatRecord(entry) })))
  }
}
