import { CURRENT_VERSION } from "../../entry/entry.js"
import { type LogIndex, LogIndexer } from "../../log/log-index.js"
import { type LogOutline, readLogSync, type SessionLog, versionOf } from "../../log/session-log.js"
import { linesOf } from "../../log/split-lines.js"
import type { MigrationReport } from "../../migrate/migrate.js"
import type { SessionStorage, StorageStat, StoredRanges } from "../../ports/session-storage.js"
import { readAllSync, type SyncSessionStorage } from "../../ports/sync-storage.js"
import { indexedState, loadState } from "../load-state.js"
import type { SessionContent } from "../session-parts.js"
import type { SessionState } from "../session-state.js"
import { type BlockSource, readBlocks } from "./read-blocks.js"
import { noBytes, readHeader, readWholeLog } from "./read-stored.js"
import { StoredBodies } from "./stored-bodies.js"

/** The bytes of a session up to this size are kept in memory: that is less than what reading them again would take. */
const SMALL = 1 << 20

/**
 * A session up to this size is parsed when it is opened: its first readers, such as the context, ask for most entries anyway, and to find
 * their heads first is a second pass by code of its own, which has to be compiled too. Bytes.
 */
const PARSED = 256 * 1024

/** Read at once where nothing is waited for. Bytes. */
const BLOCK = 128 * 1024

/** A stored session that was understood, and what its log is apart from that. */
export interface LoadedContent {
  readonly outline: LogOutline
  /** Everything, where the session had to be parsed: it is of another version. */
  readonly log?: SessionLog
  readonly content: SessionContent
  /** How it was brought to the current version. */
  readonly migration?: MigrationReport | undefined
}

/** A session that is to be migrated before it can be written: its version. */
export interface Outdated {
  readonly outdated: number
}

/**
 * Reads a stored session so that it can be opened. One of the current version is indexed, and its entries stay where they are;
 * one of another version is parsed. Undefined when it has no bytes.
 * @throws InvalidSessionError
 */
export async function loadStored(
  storage: SessionStorage,
  key: string,
  stat: StorageStat,
): Promise<LoadedContent | undefined> {
  if (stat.size === 0) return undefined
  return (await loadIndexed(storage, key, stat)) ?? parsed(await readWholeLog(storage, key, stat))
}

/** The same for one who will write it: of a session of an older version nothing is read. */
export async function loadToWrite(
  storage: SessionStorage,
  key: string,
  stat: StorageStat,
): Promise<LoadedContent | Outdated | undefined> {
  if (stat.size === 0) return undefined
  const indexed = await loadIndexed(storage, key, stat)
  if (indexed) return indexed
  const header = await readHeader(storage, key)
  const version = header && versionOf(header)
  return typeof version === "number" ? { outdated: version } : parsed(await readWholeLog(storage, key, stat))
}

/** Undefined when the session is of another version. */
async function loadIndexed(
  storage: SessionStorage,
  key: string,
  stat: StorageStat,
): Promise<LoadedContent | undefined> {
  const indexed = await indexStored(storage, key, stat, false)
  if (!indexed || !lacksParents(indexed.content.state)) return indexed
  indexed.content.state.close()
  return indexStored(storage, key, stat, true)
}

function indexedContent(index: LogIndex, bodies: StoredBodies): LoadedContent {
  try {
    const state = indexedState(index, bodies)
    return { outline: index, content: { header: index.header, state, titleSlot: index.titleSlot } }
  } catch (error) {
    bodies.close()
    throw error
  }
}

/**
 * The same with every line parsed, to see what is wrong with it.
 * @throws InvalidSessionError also when it has no bytes
 */
export async function loadWhole(storage: SessionStorage, key: string, stat: StorageStat): Promise<LoadedContent> {
  const indexed = stat.size > 0 ? await indexStored(storage, key, stat, true) : undefined
  return indexed ?? parsed(await readWholeLog(storage, key, stat))
}

/** A log whose records are all at hand. */
export function parsed(log: SessionLog): LoadedContent {
  const { header, state, migration } = loadState(log)
  return { outline: log, log, content: { header, state, titleSlot: log.titleSlot }, migration }
}

/** An entry that another one names may stand where it was not looked for: within a damaged line. */
export function lacksParents({ tree }: SessionState): boolean {
  return tree.faults().some(({ kind }) => kind === "missing-parent")
}

/** Undefined when the session is of another version. */
async function indexStored(
  storage: SessionStorage,
  key: string,
  stat: StorageStat,
  isCareful: boolean,
): Promise<LoadedContent | undefined> {
  const ranges = stat.size > SMALL ? await storage.openRanges?.(key, stat.identity) : undefined
  const kept = new Uint8Array(ranges ? 0 : stat.size)
  let index: LogIndex | undefined
  try {
    index = await indexBlocks({ storage, key, stat, ranges }, isCareful, ranges ? undefined : kept)
  } finally {
    if (!index) ranges?.close()
  }
  return index && indexedContent(index, new StoredBodies(ranges ?? inMemory(kept), key))
}

/**
 * The index of what is stored. Undefined when the session is of another version.
 * @param kept gets all bytes
 */
export async function indexBlocks(
  source: BlockSource,
  isCareful: boolean,
  kept?: Uint8Array,
): Promise<LogIndex | undefined> {
  const indexer = new LogIndexer(source.key, isCareful)
  for await (const { offset, bytes } of readBlocks(source, "forward")) {
    kept?.set(bytes, offset)
    if (!indexer.push(bytes)) return undefined
  }
  return indexer.finish()
}

/** A stored session of an older version, to be migrated before it is written. */
export interface OutdatedLog {
  readonly log: SessionLog
  readonly bytes: Uint8Array
}

/**
 * `loadToWrite` without promises. Of a session of an older version, all is read.
 * @throws InvalidSessionError
 */
export function loadToWriteSync(
  storage: SyncSessionStorage,
  key: string,
  stat: StorageStat,
): LoadedContent | OutdatedLog | undefined {
  if (stat.size === 0) return undefined
  if (stat.size <= PARSED) return parsedSync(storage, key, stat)
  const indexed = indexStoredSync(storage, key, stat, false)
  if (indexed && !lacksParents(indexed.content.state)) return indexed
  indexed?.content.state.close()
  const careful = indexed && indexStoredSync(storage, key, stat, true)
  return careful ?? parsedSync(storage, key, stat)
}

function parsedSync(storage: SyncSessionStorage, key: string, stat: StorageStat): LoadedContent | OutdatedLog {
  const bytes = readAllSync(storage, key, stat.size, stat.identity)
  const log = readLogSync(linesOf(bytes), key)
  if (!log) throw noBytes(key)
  return log.version === CURRENT_VERSION || log.version === "unsupported" ? parsed(log) : { log, bytes }
}

function indexStoredSync(
  storage: SyncSessionStorage,
  key: string,
  stat: StorageStat,
  isCareful: boolean,
): LoadedContent | undefined {
  const ranges =
    stat.size > SMALL
      ? storage.openRangesSync(key, stat.identity)
      : inMemory(readAllSync(storage, key, stat.size, stat.identity))
  const block = new Uint8Array(Math.min(stat.size, BLOCK))
  const indexer = new LogIndexer(key, isCareful)
  let index: LogIndex | undefined
  try {
    let at = 0
    for (let bytes = ranges.read(0, block.length, block); bytes.length > 0 && indexer.push(bytes); ) {
      at += bytes.length
      bytes = ranges.read(at, Math.min(block.length, stat.size - at), block)
    }
    index = at === stat.size ? indexer.finish() : undefined
  } finally {
    if (!index) ranges.close()
  }
  return index && indexedContent(index, new StoredBodies(ranges, key))
}

function inMemory(bytes: Uint8Array): StoredRanges {
  return { read: (offset, length) => bytes.subarray(offset, offset + length), close: () => {} }
}
