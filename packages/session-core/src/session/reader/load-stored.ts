import { CURRENT_VERSION } from "../../entry/entry.js"
import { type LogIndex, LogIndexer } from "../../log/log-index.js"
import { readLogBytes } from "../../log/read-bytes.js"
import type { LogOutline, SessionLog } from "../../log/session-log.js"
import type { MigrationReport } from "../../migrate/migrate.js"
import type { SessionSource, StorageStat, StoredRanges } from "../../ports/session-source.js"
import { isSyncStorage } from "../../ports/sync-storage.js"
import { type Steps, step } from "../../steps.js"
import { indexedState, loadState } from "../load-state.js"
import type { SessionContent } from "../session-parts.js"
import type { SessionState } from "../session-state.js"
import { noBytes, readBytes } from "./read-stored.js"
import { StoredBodies } from "./stored-bodies.js"

/**
 * A session up to this size is read whole and parsed: its first readers, such as the context, ask for most entries anyway, and to find
 * their heads first is a second pass by code of its own, which has to be compiled too. Bytes.
 */
const SMALL = 4_194_304
/** A larger one is read in blocks of this size. Bytes. */
const BLOCK = 131_072
/** After so many bytes that were read at once, the rest of the process gets its turn. */
const TURN = 16_777_216

/** A stored session that was understood, and what its log is apart from that. */
export interface LoadedContent {
  readonly outline: LogOutline
  /** Everything, where the session was parsed. */
  readonly log?: SessionLog
  readonly content: SessionContent
  /** How it was brought to the current version. */
  readonly migration?: MigrationReport | undefined
}

/** A session of an older version, to be migrated before it is written. */
export interface Outdated {
  readonly outdated: SessionLog
}

/**
 * Reads a stored session so that it can be opened. Of a large one of the current version, the entries stay where they are. Undefined when
 * it has no bytes.
 * @param small up to this size it is parsed whole. Bytes.
 * @throws InvalidSessionError
 */
export function* loadStored(
  storage: SessionSource,
  key: string,
  stat: StorageStat,
  small = SMALL,
): Steps<LoadedContent | undefined> {
  const loaded = yield* loadToWrite(storage, key, stat, small)
  return loaded && "outdated" in loaded ? parsed(loaded.outdated) : loaded
}

/** `loadStored` for writing. */
export function* loadToWrite(
  storage: SessionSource,
  key: string,
  stat: StorageStat,
  small = SMALL,
): Steps<LoadedContent | Outdated | undefined> {
  if (stat.size === 0) return undefined
  const indexed = stat.size > small ? yield* loadIndexed(storage, key, stat) : undefined
  if (indexed) return indexed
  const log = yield* wholeLog(storage, key, stat)
  return typeof log.version === "number" && log.version < CURRENT_VERSION ? { outdated: log } : parsed(log)
}

/**
 * `loadStored` with every line parsed, to see what is wrong with it.
 * @throws InvalidSessionError also when it has no bytes
 */
export function* loadWhole(storage: SessionSource, key: string, stat: StorageStat): Steps<LoadedContent> {
  const indexed = stat.size > SMALL ? yield* indexStored(storage, key, stat, true) : undefined
  return indexed ?? parsed(yield* wholeLog(storage, key, stat))
}

/** A log whose records are all at hand. */
export function parsed(log: SessionLog): LoadedContent {
  const { header, state, migration } = loadState(log)
  return { outline: log, log, content: { header, state, titleSlot: log.titleSlot }, migration }
}

/** @throws InvalidSessionError also when it has no bytes */
function* wholeLog(storage: SessionSource, key: string, stat: StorageStat): Steps<SessionLog> {
  const log = readLogBytes(yield* readBytes(storage, key, stat), key)
  if (!log) throw noBytes(key)
  return log
}

/** Undefined when the session is of another version. */
function* loadIndexed(storage: SessionSource, key: string, stat: StorageStat): Steps<LoadedContent | undefined> {
  const indexed = yield* indexStored(storage, key, stat, false)
  if (!indexed || !lacksParents(indexed.content.state)) return indexed
  indexed.content.state.close()
  return yield* indexStored(storage, key, stat, true)
}

/** An entry that another one names may stand where it was not looked for: within a damaged line. */
export function lacksParents({ tree }: SessionState): boolean {
  return tree.faults().some(({ kind }) => kind === "missing-parent")
}

/** @param isCareful parses every line */
function* indexStored(
  storage: SessionSource,
  key: string,
  stat: StorageStat,
  isCareful: boolean,
): Steps<LoadedContent | undefined> {
  const ranges = yield* openRanges(storage, key, stat)
  let index: LogIndex | undefined
  try {
    index = yield* indexRanges(ranges, key, stat, isCareful)
    return index && indexedContent(index, new StoredBodies(ranges, key))
  } finally {
    if (!index) ranges.close()
  }
}

/** What has no ranges is kept in memory. */
function* openRanges(storage: SessionSource, key: string, stat: StorageStat): Steps<StoredRanges> {
  if (isSyncStorage(storage)) return storage.openRangesSync(key, stat.identity)
  const opened = yield* step(async () => storage.openRanges?.(key, stat.identity))
  if (opened) return opened
  const bytes = yield* readBytes(storage, key, stat)
  return { read: (offset, length) => bytes.subarray(offset, offset + length), close: () => {} }
}

function* indexRanges(
  ranges: StoredRanges,
  key: string,
  { size }: StorageStat,
  isCareful: boolean,
): Steps<LogIndex | undefined> {
  const block = new Uint8Array(BLOCK)
  const indexer = new LogIndexer(key, isCareful)
  for (let at = 0; at < size; ) {
    const bytes = ranges.read(at, Math.min(BLOCK, size - at), block)
    if (bytes.length === 0 || !indexer.push(bytes)) return undefined
    at += bytes.length
    if (at % TURN < bytes.length)
      yield* step(
        async () => ranges.pause?.(),
        () => undefined,
      )
  }
  return indexer.finish()
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
