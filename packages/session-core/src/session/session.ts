// This file is long because it is the public interface of a session: one short method for each operation.
// They are implemented elsewhere: the entries in SessionState, writing in SessionStore, the context in context/.

import { type ContextOptions, contextOf, type SessionContext } from "../context/build-context.js"
import { entriesOf } from "../context/entry-path.js"
import { settingsAt } from "../context/settings.js"
import { type TranscriptItem, transcriptItems, transcriptOf } from "../context/transcript.js"
import type { Diagnostic } from "../entry/diagnostic.js"
import {
  type CustomMessageEntry,
  type EntryHead,
  LEAF_MARKER,
  type SessionEntry,
  type SessionHeader,
} from "../entry/entry.js"
import type { Message, Usage } from "../entry/message.js"
import {
  assertMessage,
  type CompactionExtras,
  checkedNewEntry,
  type NewEntry,
  newBranchSummary,
  newCompaction,
  newCustomMessage,
  newModelChange,
  omitUndefined,
  targetsOf,
} from "../entry/new-entry.js"
import { oneLine, textIn } from "../entry/values.js"
import { freshEntryId } from "../ports/ids.js"
import { buildTree, type SessionTreeNode } from "../tree/tree-node.js"
import type { SessionRef } from "./listing/resolve-ref.js"
import { restoredContext } from "./reader/read-context.js"
import { unknownEntry } from "./session-errors.js"
import type { NewSessionOptions } from "./session-options.js"
import { keepParts, type SessionParts } from "./session-parts.js"
import type { SessionState } from "./session-state.js"
import type { RetryOptions, SessionStore } from "./writer/session-store.js"

/** What a session consists of. `SessionFactory` assembles it. */
export interface NewSessionParts extends SessionParts {
  readonly relatives: SessionRelatives
}

/** How a session creates or opens another one. `SessionManager` implements it. */
export interface SessionRelatives {
  newSession(from: Session, options: NewSessionOptions): Promise<Session>
  setSessionFile(from: Session, ref: SessionRef): Promise<Session>
  createBranchedSession(from: Session, leafId: string): Promise<Session>
  saveAs(from: Session, path: string): Promise<void>
}

/**
 * One conversation: entries in a tree, and a leaf to which the next entry is appended (FORMAT.md, section 5). Appends and
 * moves are synchronous and touch memory only; `flush` resolves when they are on disk.
 *
 * An opened session holds the heads of its entries and reads an entry when a method first needs it. Methods that return or use
 * whole entries therefore **may read the storage synchronously**, each says so, and then throw StorageError, or SessionChangedError
 * when the stored file is shorter than it was. All other methods answer from memory.
 *
 * Every `append…` returns the new entry's id, and throws UnserializableEntryError (nothing was added), PersistError (an earlier
 * write failed: `retry`), ReadOnlySessionError, UnsupportedVersionError or SessionClosedError.
 */
export class Session {
  readonly #parts: NewSessionParts
  readonly #state: SessionState
  readonly #store: SessionStore

  /** Sessions are made by `SessionManager`. */
  constructor(parts: NewSessionParts) {
    this.#parts = parts
    this.#state = parts.state
    this.#store = parts.store
    keepParts("Session", this, parts)
  }

  // What the session is

  getSessionId(): string {
    return this.#parts.header.id
  }

  getHeader(): SessionHeader {
    return this.#parts.header
  }

  getCwd(): string {
    return textIn(this.#parts.header.cwd)
  }

  /** The path of the session; undefined in memory. A new session's file may not exist yet. */
  getSessionFile(): string | undefined {
    return this.#store.key
  }

  /** The folder of that path; undefined in memory. */
  getSessionDir(): string | undefined {
    return this.#store.folder
  }

  /** Whether appended entries are written. */
  isPersisted(): boolean {
    return this.#store.key !== undefined
  }

  /** The latest name: by an entry, else by omp's title line, else by the header. */
  getSessionName(): string | undefined {
    const { titleSlot, header } = this.#parts
    const name: unknown = this.#state.name ?? titleSlot?.title ?? header.title
    return typeof name === "string" && name !== "" ? name : undefined
  }

  /**
   * What is wrong with the session as it is stored (FORMAT.md, section 4). May read synchronously: the first call reads every entry
   * that was not read yet, since each may be damaged. That costs as much as reading the whole session.
   * @throws StorageError, SessionChangedError
   */
  getDiagnostics(): Diagnostic[] {
    return this.#state.diagnostics
  }

  /** Entries that are in memory only, and not yet in the storage. */
  get pending(): number {
    return this.#state.waiting.length
  }

  // Reading entries

  /** All entries in the order of the file. May read synchronously. @throws StorageError, SessionChangedError */
  getEntries(): SessionEntry[] {
    return this.#state.entries()
  }

  /** How many entries there are. */
  getEntryCount(): number {
    return this.#state.size
  }

  /** May read synchronously. @throws StorageError, SessionChangedError */
  getEntry(id: string): SessionEntry | undefined {
    return this.#state.entry(id)
  }

  /** Children by timestamp, then in file order. May read synchronously. @throws StorageError, SessionChangedError */
  getChildren(id: string): SessionEntry[] {
    const ordinal = this.#state.tree.ordinalOf(id)
    return ordinal === undefined ? [] : entriesOf(this.#state.pathOf(this.#state.tree.childrenOf(ordinal)))
  }

  getLabel(id: string): string | undefined {
    return this.#state.labels.get(id)?.label
  }

  getLeafId(): string | null {
    return this.#state.leafId
  }

  /** May read synchronously. @throws StorageError, SessionChangedError */
  getLeafEntry(): SessionEntry | undefined {
    return this.#state.leafId === null ? undefined : this.#state.entry(this.#state.leafId)
  }

  /**
   * The entries from the root to `fromId` (default: the leaf). Empty for an unknown id. May read synchronously.
   * @throws StorageError, SessionChangedError
   */
  getBranch(fromId?: string): SessionEntry[] {
    return entriesOf(this.#state.entryPath(fromId ?? this.#state.leafId))
  }

  /** How many entries the branch has that ends at `fromId` (default: the leaf). Reads nothing. */
  getBranchLength(fromId?: string): number {
    return this.#state.entryPath(fromId ?? this.#state.leafId).length
  }

  /**
   * All entries as nested nodes: roots in file order, children by timestamp. Reads nothing itself; the `entry` of a node may read
   * synchronously when it is accessed.
   * @throws StorageError, SessionChangedError from a node's `entry`
   */
  getTree(): SessionTreeNode[] {
    // The entries as they are now: their order changes when others append.
    const entries = this.#state.pathOf(Array.from({ length: this.#state.size }, (_, ordinal) => ordinal))
    return buildTree(this.#state.tree, this.#state.labels, entries.entry)
  }

  /**
   * What the model gets at the leaf, or at `leafId` (FORMAT.md, section 6), with images and long texts as references. May read
   * synchronously. `readContext` also restores them.
   * @throws EntryNotFoundError, StorageError, SessionChangedError
   */
  buildSessionContext(options: ContextOptions & { leafId?: string | null } = {}): SessionContext {
    const leafId = options.leafId === undefined ? this.#state.leafId : options.leafId
    if (leafId !== null) this.#known(leafId)
    return contextOf(this.#state.entryPath(leafId), options)
  }

  /**
   * What the model gets, with images and long texts restored from the blob store. What is missing there leaves a reference and a
   * diagnostic. Reads entries as `buildSessionContext` does, and blobs asynchronously.
   * @throws EntryNotFoundError, StorageError, SessionChangedError
   */
  async readContext(options: ContextOptions & { leafId?: string | null } = {}): Promise<SessionContext> {
    return restoredContext(this.buildSessionContext(options), this.#parts.ports.blobs)
  }

  /**
   * Every entry of a branch as people read it, nothing summarized away. May read synchronously.
   * @throws StorageError, SessionChangedError
   */
  buildTranscript(leafId?: string): TranscriptItem[] {
    return transcriptOf(this.#state.entryPath(leafId ?? this.#state.leafId))
  }

  // Iterating: what was not read yet is read and released again, so that memory need not hold the session

  /** The entries of `getEntries`, one by one. May read synchronously. @throws StorageError, SessionChangedError */
  *iterateEntries(): Generator<SessionEntry> {
    for (const [, entry] of this.#state.iterateEntries()) yield entry
  }

  /** The items of `buildTranscript`, one by one. May read synchronously. @throws StorageError, SessionChangedError */
  iterateTranscript(leafId?: string): Generator<TranscriptItem> {
    return transcriptItems(this.#state.iteratePath(leafId ?? this.#state.leafId))
  }

  // Appending

  /**
   * Appends an entry of any kind: `context_edit`, `usage`, or one that treelog does not know, which is stored as it is. The session
   * sets `id`, `parentId` and `timestamp`. Kinds that have a method of their own are better appended by it: that also fills in what
   * other readers expect.
   * @throws InvalidArgumentError for an entry without a type or with one of those three fields, a `session` or `title` line, a message
   * without a role; EntryNotFoundError when it refers to an entry that the session does not have
   */
  append(entry: NewEntry): string {
    const fields = checkedNewEntry(entry)
    for (const id of targetsOf(fields)) this.#known(id as string)
    return this.#append(fields)
  }

  /** @param message without a `timestamp`, it gets the time of the session's clock. @throws InvalidArgumentError for one without a role */
  appendMessage(message: Message): string {
    assertMessage(message)
    this.#store.assertWritable()
    const now = this.#parts.ports.clock.now()
    // In one go: most entries are messages, and one that gets its fields piece by piece takes twice the memory.
    return this.#add({
      type: "message",
      id: this.#freshId(),
      parentId: this.#state.leafId,
      timestamp: new Date(now).toISOString(),
      message: message.timestamp === undefined ? { ...message, timestamp: now } : message,
    })
  }

  appendModelChange(provider: string, modelId: string, role = "default"): string {
    return this.#append(newModelChange(provider, modelId, role))
  }

  /** @param thinkingLevel null means off */
  appendThinkingLevelChange(thinkingLevel: string | null): string {
    return this.#append({ type: "thinking_level_change", thinkingLevel })
  }

  /**
   * May read synchronously: the entry carries the settings at the leaf.
   * @param firstKeptEntryId from here on the context keeps what precedes the compaction; undefined keeps nothing
   * @param tokensBefore size of the context that was compacted, in tokens
   * @param fromExtension true when an extension wrote the summary
   * @throws EntryNotFoundError for an unknown `firstKeptEntryId`; StorageError, SessionChangedError
   */
  appendCompaction(
    summary: string,
    firstKeptEntryId: string | undefined,
    tokensBefore: number,
    details?: unknown,
    fromExtension?: boolean,
    extras: CompactionExtras = {},
  ): string {
    if (firstKeptEntryId !== undefined) this.#known(firstKeptEntryId)
    const settings = settingsAt(this.#state.entryPath(this.#state.leafId))
    const id = this.#freshId()
    return this.#append(
      newCompaction(summary, firstKeptEntryId ?? id, tokensBefore, settings, { ...extras, details, fromExtension }),
      id,
    )
  }

  /** State of an extension's own; not part of the context. */
  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append({ type: "custom", customType, ...omitUndefined({ data }) })
  }

  /**
   * A message that an extension puts into the context. With `display`, people see it too.
   * @param attribution who is named as its author, such as `"agent"`
   */
  appendCustomMessageEntry(
    customType: string,
    content: CustomMessageEntry["content"],
    display: boolean,
    details?: unknown,
    { attribution }: { attribution?: string } = {},
  ): string {
    return this.#append(newCustomMessage(customType, content, display, { details, attribution }))
  }

  /** Names the session; an empty name clears it. A name is one line: escape codes are removed, and line breaks become blanks. */
  appendSessionInfo(name: string): string {
    return this.#append({ type: "session_info", name: oneLine(name) })
  }

  /**
   * Labels an entry; undefined or an empty label clears it. A label is one line, as a name is.
   * @throws EntryNotFoundError
   */
  appendLabelChange(targetId: string, label: string | undefined): string {
    this.#known(targetId)
    return this.#append({ type: "label", targetId, ...omitUndefined({ label: oneLine(label ?? "") || undefined }) })
  }

  // Moving the leaf

  /**
   * Moves the leaf to an entry: the next append becomes its child. Nothing is written: `persistLeaf` makes it survive a reload.
   * @throws EntryNotFoundError
   */
  branch(entryId: string): void {
    this.#known(entryId)
    this.#state.leafId = entryId
  }

  /** Moves the leaf before everything: the next append becomes a root. */
  resetLeaf(): void {
    this.#state.leafId = null
  }

  /**
   * Moves the leaf to an entry (null: before everything) and appends a summary of the abandoned branch there.
   * @returns the id of the summary
   * @throws EntryNotFoundError
   */
  branchWithSummary(
    targetId: string | null,
    summary: string,
    details?: unknown,
    fromExtension?: boolean,
    usage?: Usage,
  ): string {
    if (targetId !== null) this.#known(targetId)
    const entry = newBranchSummary(this.#state.leafId ?? "root", summary, { details, fromExtension, usage })
    return this.#append(entry, this.#freshId(), targetId)
  }

  /** Appends an entry that records the leaf, so that every reader resumes there. Returns its id. */
  persistLeaf(): string {
    return this.#append({ type: "custom", customType: LEAF_MARKER })
  }

  // Other sessions

  /** Closes this session and returns a new one of the same folder. */
  newSession(options: NewSessionOptions = {}): Promise<Session> {
    return this.#parts.relatives.newSession(this, options)
  }

  /** Closes this session and opens another one. */
  setSessionFile(ref: SessionRef): Promise<Session> {
    return this.#parts.relatives.setSessionFile(this, ref)
  }

  /**
   * Copies the path from the root to an entry into a new session, with its labels and the name (FORMAT.md, section 5).
   * This session stays open and unchanged.
   * @throws EntryNotFoundError
   */
  async createBranchedSession(leafId: string): Promise<Session> {
    this.#known(leafId)
    return this.#parts.relatives.createBranchedSession(this, leafId)
  }

  // The storage

  /** Resolves when all entries appended so far are stored and synced, as the durability requires. @throws PersistError */
  flush(): Promise<void> {
    return this.#store.flush()
  }

  /**
   * `flush` without promises, for what runs when the process ends: also while another flush is under way. Images and long texts that
   * are not in the blob store yet stay in their lines.
   * @throws PersistError; StorageError: the storage cannot write synchronously (it has no `leaseSync`); SessionClosedError
   */
  flushSync(): void {
    this.#store.flushSync()
  }

  /**
   * Writes again what a failed write left in memory. Where another file of the same session is there by now, what it lacks is
   * appended to it. With `recreate`, a session whose file was moved or deleted is stored again where it was, all of it.
   * @throws PersistError when it fails again
   */
  retry(options: RetryOptions = {}): Promise<void> {
    return this.#store.retry(options)
  }

  /**
   * Stores the whole session at another path, with a copy of its artifacts, and continues there: also when its
   * file was moved or deleted. The old file stays as it is. The header and all entries are stored; lines that could not be
   * read as entries stay behind.
   * @throws SessionExistsError: never over another one; SessionBusyError, StorageError, SessionChangedError: the old file is needed
   * and gone; ReadOnlySessionError, UnsupportedVersionError, InvalidArgumentError. `getSessionFile` returns where the session is then.
   */
  saveAs(path: string): Promise<void> {
    return this.#parts.relatives.saveAs(this, path)
  }

  /**
   * Runs `work` when all that others appended was read, and before another process can append: for what may be appended only where others have
   * not continued the session, such as the next step of a turn. What `work` appends is stored when this resolves, or not at all: after
   * PersistError, `discard` forgets it, and `retry` would write it wherever the session has come to.
   * @param work gets the entries of others that `refresh` did not return yet; where it throws, nothing is written
   * @throws what `work` throws; PersistError, SessionBusyError, SessionChangedError, SessionClosedError; ReadOnlySessionError
   */
  withExclusiveWrite<T>(work: (news: readonly SessionEntry[]) => T): Promise<T> {
    return this.#store.withExclusiveWrite(() => work(this.#store.takeNews()))
  }

  /** Reads what other processes appended, and returns those entries. The leaf follows only in a session opened for reading. */
  refresh(): Promise<SessionEntry[]> {
    return this.#store.refresh()
  }

  /**
   * Yields entries as other processes append them, until `signal` aborts or the session is closed. Leaving the loop ends it at
   * once. A process waits for it as long as it is not ended.
   * @throws SessionChangedError when what is stored was removed, replaced or cut; StorageError: the storage cannot watch it
   */
  watch(signal: AbortSignal): AsyncGenerator<SessionEntry> {
    return this.#store.watch(signal)
  }

  /** Flushes, and releases the session to others. After a PersistError it stays open: `retry`, or `discard`. */
  async close(): Promise<void> {
    try {
      await this.#store.close()
    } finally {
      if (this.#store.isClosed) this.#state.close()
    }
  }

  /** Releases the session without writing what is pending. */
  async discard(): Promise<void> {
    try {
      await this.#store.discard()
    } finally {
      this.#state.close()
    }
  }

  #append(fields: NewEntry, id = this.#freshId(), parentId = this.#state.leafId): string {
    this.#store.assertWritable()
    const head: EntryHead = { type: fields.type, id, parentId, timestamp: this.#now() }
    return this.#add({ ...head, ...fields } as SessionEntry)
  }

  #add(entry: SessionEntry): string {
    this.#store.add(entry)
    return entry.id
  }

  #now(): string {
    return new Date(this.#parts.ports.clock.now()).toISOString()
  }

  #freshId(): string {
    return freshEntryId(this.#parts.ports.ids, (id) => this.#state.tree.has(id))
  }

  #known(id: string): void {
    if (!this.#state.tree.has(id)) throw unknownEntry(this.#parts.header, id)
  }
}
