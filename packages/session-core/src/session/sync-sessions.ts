import { isTreelogError } from "../errors.js"
import { readLogBytes } from "../log/read-bytes.js"
import { assembleSync } from "../log/splice.js"
import type { StorageStat } from "../ports/session-source.js"
import { assertSyncStorage, readAllSync } from "../ports/sync-storage.js"
import { runNow, type Steps } from "../steps.js"
import { factoryOf } from "./factory-of.js"
import { begin, openLeased } from "./open-session.js"
import { loadToWrite } from "./reader/load-stored.js"
import { noBytes } from "./reader/read-stored.js"
import { StoredTail } from "./reader/stored-tail.js"
import { appendEntries, forkHeader } from "./rewrite/copy-session.js"
import { copyParts } from "./rewrite/stored-session.js"
import type { Session } from "./session.js"
import { assertSupported, noSessionAt } from "./session-errors.js"
import type { SessionFactory } from "./session-factory.js"
import type { SessionManager } from "./session-manager.js"
import { type CreateOptions, leaseOptions, type OpenSyncOptions } from "./session-options.js"
import { SessionState } from "./session-state.js"

/**
 * `SessionManager.create` without promises, on any storage. The breadcrumb of the terminal stays what it is, and whether
 * a chosen id is taken shows when the session is first written.
 * @throws InvalidArgumentError for a chosen id that cannot be part of a file name; PersistError where it is written through
 */
export function createSync(sessions: SessionManager, cwd: string, options: CreateOptions = {}): Session {
  const factory = factoryOf(sessions)
  const header = factory.newHeader(cwd, options)
  const session = factory.writing(factory.keyFor(header), { header, state: new SessionState() }, options)
  return appendEntries(session, options.entries ?? [])
}

/**
 * `SessionManager.open` without promises, for writing, on a storage that has `leaseSync`. The breadcrumb of the terminal stays what it is. A
 * shared session that has not to be migrated, and whose last line is complete, takes its lease with the first write only, and then reads what
 * others appended since. Makes a new session only with `cwd`, and where nothing was stored when it was called.
 * @param path of the session. `SessionManager.resolve` finds it for other references.
 * @throws SessionNotFoundError, InvalidSessionError, SessionBusyError; StorageError also where the storage cannot do it
 */
export function openSync(sessions: SessionManager, path: string, options: OpenSyncOptions = {}): Session {
  const factory = factoryOf(sessions)
  const { storage } = factory
  assertSyncStorage(storage, path, "openSync")
  const stat = storage.statSync(path)
  if (!stat && options.cwd === undefined) throw noSessionAt(path)
  if (!stat || stat.size === 0) return begin(factory, path, options, stat)
  const asItIs = options.access === "shared" ? openAsItIs(factory, stat, path, options) : undefined
  return asItIs ?? runNow(openLeased(factory, storage.leaseSync(path, leaseOptions(options)), options))
}

/** Undefined where the session has to be written to open it, where its last line may be in the middle of a write, and where it changes meanwhile. */
function openAsItIs(
  factory: SessionFactory,
  stat: StorageStat,
  key: string,
  options: OpenSyncOptions,
): Session | undefined {
  try {
    const loaded = runNow(loadToWrite(factory.storage, key, stat))
    if (!loaded || "outdated" in loaded) return undefined
    const { outline, content } = loaded
    if (outline.version !== "unsupported" && outline.end.terminated)
      return factory.writing(key, content, options, { tail: new StoredTail(factory.storage, key, stat, outline.end) })
    content.state.close()
    return undefined
  } catch (error) {
    if (!isTreelogError(error, "SessionChangedError")) throw error
    return undefined
  }
}

/**
 * `SessionManager.forkFrom` without promises, on a storage that has `leaseSync`; without the artifacts of the source.
 * @param path of the source
 * @throws SessionNotFoundError, InvalidSessionError, UnsupportedVersionError; StorageError also where the storage cannot do it
 */
export function forkSync(sessions: SessionManager, path: string, cwd: string, options: CreateOptions = {}): Session {
  const factory = factoryOf(sessions)
  const { storage } = factory
  assertSyncStorage(storage, path, "forkSync")
  const stat = storage.statSync(path)
  if (!stat) throw noSessionAt(path)
  const bytes = readAllSync(storage, path, stat)
  const log = readLogBytes(bytes, path)
  if (!log) throw noBytes(path)
  assertSupported(log, path)
  const own = forkHeader(factory, path, cwd, options)
  const lease = storage.leaseSync(factory.keyFor(own), leaseOptions({ ...options, busyTimeoutMs: 0 }))
  const store = function* (): Steps<void> {
    lease.createSync(
      assembleSync(
        copyParts(log, (header) => ({ ...header, ...own })),
        bytes,
      ),
    )
  }
  return runNow(openLeased(factory, lease, options, store()))
}
