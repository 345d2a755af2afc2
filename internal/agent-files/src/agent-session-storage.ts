import { dirname, join, resolve, sep } from "node:path"
import { isTreelogError, type SessionEntry, type SessionSource } from "@treelog/session-core"
import {
  type ListFilter,
  type SessionArtifact,
  type StorageStat,
  type StoredName,
  type StoredRanges,
  sessionChanged,
  Turns,
} from "@treelog/session-core/adapter"
import { usagesOf } from "@treelog/session-core/search"
import { type FsPort, nodeFs, reportOnce, SessionRows, sessionNotFound, watchFile } from "@treelog-internal/fs"
import type { AgentStorageOptions } from "./agent-folder.js"
import type { AgentSource, EndOptions, SourceSession, SourceUsage } from "./agent-source.js"
import { AgentSummaries, nameOf, sourceStat, statOf } from "./agent-summaries.js"
import { CheckedLines, type Resumption, resumptionOf } from "./checkpoints.js"
import type { Content } from "./content.js"
import type { Conversion, ConversionReport } from "./conversion.js"
import { conversionError, isMoved } from "./conversion-error.js"
import { conversionVersionOf } from "./conversion-version.js"
import { ConvertedFiles, type Stored } from "./converted-files.js"
import { type ConvertedState, ConvertedStates, type StoredCheckpoint, splitFacts } from "./converted-states.js"
import { digestOf } from "./digest.js"
import { lostSessions } from "./lost-sessions.js"
import { notesIn } from "./notes-in-rows.js"
import { piecesOf } from "./records/record-conversion.js"
import type { SessionFiles } from "./segments.js"

/** Bytes. */
const CACHE_LIMIT = 2 * 1024 * 1024 * 1024
/** How many of the sessions that were converted last are held, with their content where that is in memory. */
const HELD = 16
/** How often a session is converted again whose files were moved or rewritten while they were read. */
const ATTEMPTS = 5

/** The name of a fact. */
const UNTAKEN = "untaken"

/** What a conversion does not take of a session. */
export type UntakenKinds = Required<Pick<ConversionReport, "unknownKinds" | "uncountedKinds">>

/** A session that was converted, by this process. */
interface Held extends ConvertedState {
  readonly content: Content
  /** Undefined of one that went on: what became of the lines before is not known. */
  readonly report: ConversionReport | undefined
}

/**
 * The sessions of another agent, where they are. Each is converted when it is needed, and its bytes are cached.
 * Lists convert nothing. Not one byte is written where the agent keeps its sessions.
 */
export abstract class AgentSessionStorage implements SessionSource {
  readonly summaries: AgentSummaries
  /** Undefined for the context of a session that is converted, which is read from the end of that. */
  readonly end?: NonNullable<SessionSource["end"]>
  readonly #source: AgentSource
  readonly #fs: FsPort
  readonly #rows: SessionRows
  readonly #converted: ConvertedStates
  readonly #files: ConvertedFiles
  readonly #turns = new Turns()
  /** By key, the one that was used last at the end. */
  readonly #held = new Map<string, Held>()

  constructor(options: AgentStorageOptions) {
    const { cacheDir, maxCacheBytes = CACHE_LIMIT, fs = nodeFs, onCacheError, keptOf } = options
    const original = keptOf && { source: keptOf.storage.source, lostCopies: keptOf.lostCopies }
    const source = original ? lostSessions(options.source, original) : options.source
    const onError = reportOnce(cacheDir ?? "", onCacheError)
    const folder = cacheDir === null ? undefined : join(cacheDir, "agents", source.agent)
    const store = [source.agent, source.folder] as const
    this.#source = source
    this.#fs = fs
    this.#rows = new SessionRows(fs, { cacheDir: cacheDir ?? undefined, store, onError })
    this.#converted = new ConvertedStates(this.#rows)
    source.useNotes?.(notesIn(this.#rows, conversionVersionOf(source)))
    this.#files = new ConvertedFiles({
      fs,
      folder: folder && join(folder, "converted"),
      maxBytes: maxCacheBytes,
      onError,
    })
    this.summaries = new AgentSummaries(source, this.#rows, (session) => this.#known(session))
    if (source.end) this.end = (key, options) => this.#endOf(key, options)
  }

  /** What it reads, for a storage of copies. */
  get source(): AgentSource {
    return this.#source
  }

  /** The name of the agent. */
  get agent(): string {
    return this.#source.agent
  }

  /** The folder of the agent, or its one database. An absolute path. */
  get folder(): string {
    return this.#source.folder
  }

  keyFromRef(ref: string): string | undefined {
    const isPath = ref.includes("/") || ref.includes(sep) || /\.jsonl(\.zst)?$/.test(ref)
    return isPath && !ref.includes("\0") ? resolve(ref) : undefined
  }

  isInside(key: string): boolean {
    return this.#source.isKey?.(key) ?? (key.startsWith(this.folder + sep) && /\.jsonl(\.zst)?$/.test(key))
  }

  folderOf(key: string): string {
    return dirname(key)
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<StoredName> {
    for await (const sessions of this.#source.list(filter)) yield* sessions.map(nameOf)
  }

  listsAll(filter: ListFilter): boolean {
    return this.#source.listsAll(filter)
  }

  async *find(id: string, { signal }: Pick<ListFilter, "signal"> = {}): AsyncGenerator<StoredName> {
    for await (const name of this.list({ signal })) {
      // Whether sessions in there are missing is not known.
      if (isTreelogError(name.error, "StorageError")) yield name
      if (name.error) continue
      // Where names of files do not have it, sessions are read, once.
      const info = name.id === undefined ? (await this.summaries.find(name.key))?.cached?.state.info : name
      const { id: own } = (info ?? {}) as { readonly id?: unknown }
      if (own === id) yield { ...name, id }
    }
  }

  /** Of the files of a session. */
  async stat(key: string): Promise<StorageStat | undefined> {
    const session = await this.#source.find(key)
    return session && sourceStat(this.#source, session)
  }

  /** Converts a session that is new or has changed. @throws InvalidSessionError, StorageError */
  statContent(key: string): Promise<StorageStat | undefined> {
    return this.#turns.run(async () => {
      const session = await this.#source.find(key)
      if (!session) return undefined
      return statOf(session, await this.#stateOf(session))
    })
  }

  async readRange(
    key: string,
    offset: number,
    length: number,
    identity?: string,
    into?: Uint8Array,
  ): Promise<Uint8Array> {
    const content = await this.#contentOf(key, identity)
    const ranges = content.open(key)
    try {
      const bytes = ranges.read(offset, length, into)
      return into ? bytes : new Uint8Array(bytes)
    } finally {
      ranges.close()
    }
  }

  async openRanges(key: string, identity: string): Promise<StoredRanges> {
    return (await this.#contentOf(key, identity)).open(key)
  }

  async *watch(key: string, signal: AbortSignal): AsyncGenerator<void> {
    const session = await this.#source.find(key)
    const path = session && ((await this.#source.watched?.(session)) ?? (await this.#source.files(session)).at(-1))
    const versionNow = async (): Promise<string> => {
      const [found] = await Promise.allSettled([this.#source.find(key)])
      return found.status === "fulfilled" ? (found.value?.version ?? "") : String(found.reason)
    }
    yield* watchFile(this.#fs, path ?? key, signal, this.#source.changesBeside && versionNow)
  }

  /** What became of each line of the source. @throws SessionNotFoundError, InvalidSessionError, StorageError */
  report(key: string): Promise<ConversionReport> {
    return this.#turns.run(async () => {
      const session = await this.#existing(key, undefined)
      const held = this.#held.get(key)
      if (held?.report && held.version === this.#versionOf(session)) return held.report
      const { report } = await this.#whileMoved(session, (found) => this.#convertWhole(found))
      return report as ConversionReport
    })
  }

  /** The kinds of its records that say something which is not taken: as `report` has them, which is made once. @throws as `report` */
  async kindsOf(key: string): Promise<UntakenKinds> {
    const session = await this.#existing(key, undefined)
    const version = this.#versionOf(session)
    this.#rows.load()
    const known = this.#rows.fact(UNTAKEN, key)
    if (known?.version === version) return known.value as UntakenKinds
    const { unknownKinds, uncountedKinds = [] } = await this.report(key)
    this.#rows.putFact(UNTAKEN, key, { version, brief: [], value: { unknownKinds, uncountedKinds } })
    await this.#rows.flush()
    return { unknownKinds, uncountedKinds }
  }

  async *artifacts(key: string): AsyncGenerator<SessionArtifact> {
    const session = await this.#existing(key, undefined)
    try {
      yield* this.#source.artifacts(session)
    } catch (error) {
      throw conversionError(key, error)
    }
  }

  async *parts(key: string): AsyncGenerator<StoredName> {
    for await (const name of this.list({ parts: true })) if (name.part?.of === key) yield name
  }

  /** The files that a session is made of. Absolute paths. @throws SessionNotFoundError, StorageError */
  async sourceFiles(key: string): Promise<readonly string[]> {
    return this.#source.files(await this.#existing(key, undefined))
  }

  #endOf(key: string, options: EndOptions): Promise<readonly SessionEntry[] | undefined> {
    return this.#turns.run(async () => {
      const session = await this.#existing(key, undefined)
      this.#rows.load()
      if (this.#known(session) && !options.withParts) return undefined
      const end = await this.#whileMoved(session, async (found) => this.#source.end?.(found, options))
      // What the source noted.
      await this.#rows.flush()
      return end
    })
  }

  /** Stores nothing of the rest, which takes more than half of the time of a first sum. */
  usage(key: string): ReturnType<NonNullable<SessionSource["usage"]>> {
    return this.#turns.run(async () =>
      this.#whileMoved(await this.#existing(key, undefined), async (found) => {
        const usage = (await this.#source.usage?.(found)) ?? usageIn(await this.#source.convert(found))
        return { ...usage, source: sourceStat(this.#source, found) }
      }),
    )
  }

  async #existing(key: string, identity: string | undefined): Promise<SourceSession> {
    const session = await this.#source.find(key)
    if (session) return session
    throw identity === undefined ? sessionNotFound(key) : sessionChanged(key, "gone")
  }

  #contentOf(key: string, identity: string | undefined): Promise<Content> {
    return this.#turns.run(async () => {
      const session = await this.#existing(key, identity)
      const state = await this.#stateOf(session)
      if (identity !== undefined && state.identity !== identity) throw sessionChanged(key, "replaced")
      const content = await this.#found(key, state)
      if (content) return content
      const converted = await this.#convert(session)
      if (identity !== undefined && converted.identity !== identity) throw sessionChanged(key, "replaced")
      return converted.content
    })
  }

  /** The content of a state, if it is in memory or in the cache. */
  async #found(key: string, { digest, segments }: ConvertedState): Promise<Content | undefined> {
    const held = this.#held.get(key)
    if (held?.digest === digest && held.content.isInMemory) return held.content
    return this.#files.find(key, segments)
  }

  #versionOf({ version }: SourceSession): string {
    return `${conversionVersionOf(this.#source)} ${version}`
  }

  /** Undefined of a session that is new or has changed. */
  #known(session: SourceSession): ConvertedState | undefined {
    const known = this.#converted.get(session.key)
    return known?.version === this.#versionOf(session) ? known : undefined
  }

  /** What the session is converted to, which is known of one that has not changed. */
  async #stateOf(session: SourceSession): Promise<ConvertedState> {
    const known = this.#known(session)
    if (known) return known
    this.#rows.load()
    return this.#known(session) ?? this.#convert(session)
  }

  #convert(found: SourceSession): Promise<Held> {
    return this.#whileMoved(found, (session) => this.#convertOnce(session))
  }

  /** Tries again where the agent has moved or rewritten a file since the session was found. */
  async #whileMoved<Result>(
    found: SourceSession,
    attempt: (session: SourceSession) => Promise<Result>,
  ): Promise<Result> {
    for (let attempts = 1, session: SourceSession | undefined = found; ; attempts++) {
      try {
        return await attempt(session)
      } catch (error) {
        session = isMoved(error) && attempts < ATTEMPTS ? await this.#source.find(found.key) : undefined
        if (!session) throw conversionError(found.key, error)
      }
    }
  }

  /** Goes on from the last checkpoint, where the source can. */
  async #convertOnce(session: SourceSession): Promise<Held> {
    const { key } = session
    const former = this.#converted.get(key)
    const from = former && (await resumptionOf(this.#files, this.#source, session, former))
    const conversion = await this.#source.convert(session, from)
    if (!conversion.goesOn || !from) return this.#convertWhole(session, conversion)
    // What cannot be written is served from memory, which has no part of a session.
    return (await this.#store(session, conversion, former, from)) ?? this.#convertWhole(session)
  }

  async #convertWhole(session: SourceSession, converted?: Conversion): Promise<Held> {
    const conversion = converted ?? (await this.#source.convert(session))
    return (await this.#store(session, conversion, this.#converted.get(session.key))) as Held
  }

  /** @returns undefined where one that went on cannot be written */
  async #store(
    session: SourceSession,
    conversion: Conversion,
    former: ConvertedState | undefined,
    from?: Resumption,
  ): Promise<Held | undefined> {
    const { key, modified } = session
    const version = this.#versionOf(session)
    const lines = new CheckedLines(conversion, from)
    const stored = await this.#files.store(key, piecesOf(lines), {
      beginning: from?.beginning,
      former: from ? [from.rest] : former?.segments,
      mark: () => lines.mark ?? from?.stored.size,
    })
    const { size, digest, segments, continues, content } = stored
    if (from && content.isInMemory) return undefined
    // Of the version too, so that a session which becomes again what it was is another one.
    const identity = continues && former ? former.identity : digestOf(version, digest).slice(0, 32)
    const { counts } = splitFacts(lines.facts.facts({ size, identity, modified }))
    const checkpoint = content.isInMemory ? undefined : await this.#storeCheckpoint(session, lines, stored, from)
    const state: ConvertedState = { version, size, identity, digest, segments, checkpoint, counts }
    this.#converted.put(key, state)
    await this.#rows.flush()
    if (former && !content.isInMemory) this.#files.remove(key, filesOf(former), filesOf(state))
    return this.#hold(key, { ...state, content, report: from ? undefined : conversion.report })
  }
  /** Where a later conversion can go on: where this one did, if there is no newer place. */
  async #storeCheckpoint(
    { key, size, modified }: SourceSession,
    lines: CheckedLines,
    { cut }: Stored,
    from: Resumption | undefined,
  ): Promise<StoredCheckpoint | undefined> {
    const source = { size, modified }
    if (lines.mark === undefined) return from && { ...from.stored, cut, source }
    const kept = lines.stateOf(this.#source)
    const state = kept && (await this.#files.storeState(key, kept))
    return state === undefined ? undefined : { size: lines.mark, cut, state, source }
  }

  #hold(key: string, held: Held): Held {
    this.#held.delete(key)
    this.#held.set(key, held)
    const [oldest = key] = this.#held.keys()
    if (this.#held.size > HELD) this.#held.delete(oldest)
    return held
  }
}

function usageIn({ header, entries }: Conversion): SourceUsage {
  const found: SessionEntry[] = []
  for (const entry of entries as Iterable<SessionEntry>)
    if (entry.type === "session_info" || usagesOf(entry).length > 0) found.push(entry)
  return { header, entries: found }
}

function filesOf({ segments, checkpoint }: ConvertedState): SessionFiles {
  return { segments, state: checkpoint?.state }
}
