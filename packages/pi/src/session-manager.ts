// This file is long because it has every member of pi's SessionManager: one short method each, in its order.

import {
  type CreateOptions,
  type Session,
  type SessionEntry,
  type SessionHeader,
  type SessionTreeNode,
  TreelogError,
} from "@treelog/session-core"
import { appendEntry, combinedSystemMessage, freshEntryId, randomIds } from "@treelog/session-core/adapter"
import { agentDirOf, FileSessionStorage } from "@treelog/storage-fs"
import { branchEntries } from "./branch-entries.js"
import { editOf } from "./context-edit.js"
import { fileOfId, mostRecentFile } from "./discovery.js"
import { listAsPi, type PiSessionInfo, type Progress } from "./list.js"
import {
  defaultSessionDir,
  defaultSessionDirPath,
  FolderPlace,
  isFolder,
  MemoryPlace,
  normalizedPath,
  type Place,
  resolvedPath,
} from "./places.js"
import { contextEntries, contextOf, type ProjectedEntry, projectionOf } from "./projection.js"

interface NewSessionOptions {
  readonly id?: string
  readonly parentSession?: string
}

type Model = { provider: string; modelId: string } | null

/**
 * pi's `SessionManager` with the members of 0.74 and 1.5: the same arguments, results and files. Entries and messages have treelog's
 * types here; `pi-types.ts` gives them those of the installed pi.
 */
export class TreelogSessionManager {
  readonly #place: Place
  readonly #cwd: string
  #session: Session
  readonly #isTaken = (id: string): boolean => this.#session.getEntry(id) !== undefined

  /** @param session what it starts with; by default a new one */
  constructor(place: Place, cwd: string, session: Session = place.create(cwd, {})) {
    this.#place = place
    this.#cwd = cwd
    this.#session = session
  }

  static create(cwd: string, sessionDir?: string, options: NewSessionOptions = {}): TreelogSessionManager {
    const place = folderPlace(cwd, sessionDir)
    const folder = resolvedPath(cwd)
    return new TreelogSessionManager(place, folder, place.create(folder, newOptions(options)))
  }

  static open(path: string, sessionDir?: string, cwdOverride?: string): TreelogSessionManager {
    const file = resolvedPath(path)
    const place = new FolderPlace(sessionDir ? normalizedPath(sessionDir) : resolvedPath(`${file}/..`))
    const session = place.open(file, cwdOverride ?? process.cwd())
    const cwd = cwdOverride ?? (session.getCwd() || process.cwd())
    return new TreelogSessionManager(place, resolvedPath(cwd), session)
  }

  static continueRecent(cwd: string, sessionDir?: string): TreelogSessionManager {
    const place = folderPlace(cwd, sessionDir)
    const folder = resolvedPath(cwd)
    const from = { dir: resolvedPath(place.dir), storage: place.storage }
    const recent = mostRecentFile(from, isOwnDir(cwd, sessionDir) ? undefined : folder)
    return new TreelogSessionManager(place, folder, recent === undefined ? undefined : place.open(recent))
  }

  static inMemory(
    cwd: string = process.cwd(),
    options: NewSessionOptions = {},
    entries: readonly (SessionEntry | SessionHeader)[] = [],
  ): TreelogSessionManager {
    const place = new MemoryPlace()
    const folder = resolvedPath(cwd)
    const header = entries.find(isHeader)
    const rest = entries.filter((entry): entry is SessionEntry => !isHeader(entry))
    const session = header ? place.load(header, rest) : place.create(folder, { ...newOptions(options), entries: rest })
    return new TreelogSessionManager(place, folder, session)
  }

  static forkFrom(
    sourcePath: string,
    targetCwd: string,
    sessionDir?: string,
    options: NewSessionOptions = {},
  ): TreelogSessionManager {
    const place = folderPlace(targetCwd, sessionDir)
    const folder = resolvedPath(targetCwd)
    const { id } = newOptions(options)
    const session = place.fork(resolvedPath(sourcePath), folder, id === undefined ? {} : { id })
    return new TreelogSessionManager(place, folder, session)
  }

  static findById(cwd: string, id: string, sessionDir?: string): string | undefined {
    return fileOfId(folderPlace(cwd, sessionDir), id, isOwnDir(cwd, sessionDir) ? undefined : cwd)
  }

  static async list(
    cwd: string,
    sessionDir?: string,
    onProgress?: Progress,
    signal?: AbortSignal,
  ): Promise<PiSessionInfo[]> {
    const folder = resolvedPath(cwd)
    const isOwn = isOwnDir(cwd, sessionDir)
    const isListed = (info: PiSessionInfo) => isOwn || isFolder(info.cwd, folder)
    return listAsPi(folderPlace(cwd, sessionDir).storage, { onProgress, signal, isListed, interval: 10 })
  }

  static async listAll(
    sessionDir?: string | Progress,
    onProgress?: Progress | AbortSignal,
    signal?: AbortSignal,
  ): Promise<PiSessionInfo[]> {
    const given = [sessionDir, onProgress, signal]
    const progress = given.find((one) => typeof one === "function")
    const abort = given.find((one) => one instanceof AbortSignal)
    const storage = new FileSessionStorage(
      typeof sessionDir === "string" && sessionDir !== ""
        ? { sessionDir: resolvedPath(sessionDir), preset: "pi" }
        : { agentDir: agentDirOf("pi"), preset: "pi" },
    )
    return listAsPi(storage, { onProgress: progress, signal: abort, interval: 100 })
  }

  setSessionFile(sessionFile: string): void {
    this.#become(this.#place.open(resolvedPath(sessionFile), this.#cwd))
  }

  newSession(options?: NewSessionOptions): string | undefined {
    this.#become(this.#place.create(this.#cwd, newOptions(options)))
    return this.getSessionFile()
  }

  /** What is appended is written by then: there is nothing to be done. pi calls it with each entry. */
  _persist(_entry: SessionEntry): void {}

  isPersisted(): boolean {
    return this.#session.isPersisted()
  }

  getCwd(): string {
    return this.#cwd
  }

  getSessionDir(): string {
    return this.#place.dir
  }

  usesDefaultSessionDir(): boolean {
    return this.#place.dir !== "" && isOwnDir(this.#cwd, this.#place.dir)
  }

  getSessionId(): string {
    return this.#session.getSessionId()
  }

  getSessionFile(): string | undefined {
    return this.#session.getSessionFile() ?? this.#place.file
  }

  // The fields of each entry in the order in which pi writes them, in one object literal: that takes less than to put them together.

  appendMessage(message: object): string {
    return this.#append({ type: "message", id: this.#newId(), parentId: this.getLeafId(), timestamp: now(), message })
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "thinking_level_change", id, parentId, timestamp: now(), thinkingLevel })
  }

  appendModelChange(provider: string, modelId: string): string {
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "model_change", id, parentId, timestamp: now(), provider, modelId })
  }

  appendUsage(kind: string, provider: string, model: string, usage: object, note?: string): SessionEntry | undefined {
    const fields = { kind, provider, model, usage, ...(note && { note }) }
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.getEntry(this.#append({ type: "usage", id, parentId, timestamp: now(), ...fields }))
  }

  appendCompaction(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: object,
  ): string {
    const { messages } = contextOf(this.#session)
    const [id, parentId, timestamp] = [this.#newId(), this.getLeafId(), now()]
    const system = combinedSystemMessage(messages)
    const systemMessage = system && { ...system, timestamp: Date.parse(timestamp) }
    const fields = { summary, firstKeptEntryId: firstKeptEntryId ?? id, tokensBefore, details, usage, fromHook }
    const own = { ...fields, ...(systemMessage && { systemMessage }) }
    return this.#append({ type: "compaction", id, parentId, timestamp, ...own })
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "custom", customType, data, id, parentId, timestamp: now() })
  }

  appendSessionInfo(name: string): string {
    const line = name.replace(/[\r\n]+/g, " ").trim()
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "session_info", id, parentId, timestamp: now(), name: line })
  }

  getSessionName(): string | undefined {
    return this.#session.getSessionName()?.trim() || undefined
  }

  appendCustomMessageEntry(customType: string, content: unknown, display: boolean, details?: unknown): string {
    const fields = { type: "custom_message", customType, content, display, details }
    return this.#append({ ...fields, id: this.#newId(), parentId: this.getLeafId(), timestamp: now() })
  }

  appendContextEdit(targetId: string, replacement: { content: unknown } | null): string {
    const edit = { targetId, replacement: editOf(this.#session, targetId, replacement) }
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "context_edit", id, parentId, timestamp: now(), ...edit })
  }

  getLeafId(): string | null {
    return this.#session.getLeafId()
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.#session.getLeafEntry()
  }

  getEntry(id: string): SessionEntry | undefined {
    return this.#session.getEntry(id)
  }

  getChildren(parentId: string): SessionEntry[] {
    return this.#session.getChildren(parentId)
  }

  getLabel(id: string): string | undefined {
    return this.#session.getLabel(id)
  }

  appendLabelChange(targetId: string, label: string | undefined): string {
    this.#assertEntry(targetId)
    const [id, parentId] = [this.#newId(), this.getLeafId()]
    return this.#append({ type: "label", id, parentId, timestamp: now(), targetId, label })
  }

  getBranch(fromId?: string): SessionEntry[] {
    return this.#session.getBranch(fromId)
  }

  buildContextEntries(): SessionEntry[] {
    return contextEntries(this.#session)
  }

  buildSessionProjection(): {
    entries: ProjectedEntry[]
    messages: readonly unknown[]
    thinkingLevel: string
    model: Model
  } {
    return projectionOf(this.#session)
  }

  buildSessionContext(): { messages: unknown[]; thinkingLevel: string; model: Model } {
    const { messages, thinkingLevel, model } = contextOf(this.#session)
    return { messages: [...messages], thinkingLevel, model }
  }

  getHeader(): SessionHeader {
    return this.#session.getHeader()
  }

  getEntryCount(): number {
    return this.#session.getEntryCount()
  }

  getEntries(): SessionEntry[] {
    return this.#session.getEntries()
  }

  getTree(): SessionTreeNode[] {
    return this.#session.getTree()
  }

  branch(branchFromId: string): void {
    this.#assertEntry(branchFromId)
    this.#session.branch(branchFromId)
  }

  resetLeaf(): void {
    this.#session.resetLeaf()
  }

  /** `fromId` is the leaf that was left, as in pi 1.x. */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: object,
  ): string {
    if (branchFromId !== null) this.#assertEntry(branchFromId)
    const fields = { fromId: this.getLeafId() ?? "root", summary, details, usage, fromHook }
    const [id, parentId] = [this.#newId(), branchFromId]
    return this.#append({ type: "branch_summary", id, parentId, timestamp: now(), ...fields })
  }

  createBranchedSession(leafId: string): string | undefined {
    const entries = branchEntries(this.#session, leafId)
    if (!entries) throw notFound(leafId)
    const parentSession = this.#session.getSessionFile()
    const options = { entries, ...(parentSession !== undefined && { parentSession }) }
    this.#become(this.#place.create(this.#cwd, options))
    return this.#session.getSessionFile()
  }

  flush(): Promise<void> {
    return this.#session.flush()
  }

  flushSync(): void {
    this.#session.flushSync()
  }

  retry(options?: { readonly recreate?: boolean }): Promise<void> {
    return this.#session.retry(options)
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  /** Goes on with another session. The one that is left was written, but for what had no file yet, which pi leaves behind too. */
  #become(session: Session): void {
    void Promise.allSettled([this.#session.discard()])
    this.#session = session
  }

  #newId(): string {
    return freshEntryId(randomIds, this.#isTaken)
  }

  #append(entry: { readonly id: string; readonly [field: string]: unknown }): string {
    appendEntry(this.#session, entry as unknown as SessionEntry)
    return entry.id
  }

  #assertEntry(id: string): void {
    if (this.getEntry(id) === undefined) throw notFound(id)
  }
}

function now(): string {
  return new Date().toISOString()
}

function folderPlace(cwd: string, sessionDir: string | undefined): FolderPlace {
  return new FolderPlace(sessionDir ? normalizedPath(sessionDir) : defaultSessionDir(cwd))
}

/** Whether it is the folder of that project alone, so that sessions need not be filtered, as pi has it. */
function isOwnDir(cwd: string, sessionDir: string | undefined): boolean {
  return !sessionDir || resolvedPath(sessionDir) === defaultSessionDirPath(cwd)
}

function isHeader(entry: SessionEntry | SessionHeader): entry is SessionHeader {
  return entry.type === "session"
}

function newOptions({ id, parentSession }: NewSessionOptions = {}): CreateOptions {
  if (id !== undefined && !/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id)) {
    const message =
      "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character"
    throw new TreelogError("InvalidArgumentError", message, { argument: "id", value: id })
  }
  return { ...(id !== undefined && { id }), ...(parentSession !== undefined && { parentSession }) }
}

function notFound(id: string): TreelogError<"EntryNotFoundError"> {
  return new TreelogError("EntryNotFoundError", `Entry ${id} not found`, { id })
}
