import type { SessionHeader } from "../../entry/entry.js"
import { isTreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { readLog } from "../../log/session-log.js"
import { splitLines } from "../../log/split-lines.js"
import type { SessionSource } from "../../ports/session-source.js"
import type { SessionRef } from "../../session/listing/resolve-ref.js"
import { assembled } from "../../session/reader/assembled.js"
import { parsed } from "../../session/reader/load-stored.js"
import { noBytes, readHeader, storedLines } from "../../session/reader/read-stored.js"
import { noSessionAt } from "../../session/session-errors.js"
import type { SessionFactory } from "../../session/session-factory.js"
import type { SessionManager } from "../../session/session-manager.js"
import { type ChangeOptions, changeStored } from "../change-options.js"
import { planRepair } from "./plan-repair.js"
import type { RepairChange } from "./repair-item.js"
import { type Verification, verifyLoaded } from "./verify-log.js"

/** What a repair did, or would do. */
export interface RepairReport {
  /** The storage's key of the session. */
  readonly path: string
  /** In the order in which they were made. Empty: there was nothing to repair. */
  readonly changes: readonly RepairChange[]
  /** Where the session is kept as it was; undefined when nothing was written. */
  readonly backup: string | undefined
  /** What `verifySession` reports of the repaired session. */
  readonly after: Verification
}

/**
 * Repairs a damaged session and keeps the old one beside it; nothing is dropped (FORMAT.md, section 4).
 * @throws SessionNotFoundError, AmbiguousSessionError, SessionBusyError, InvalidSessionError, UnsupportedVersionError,
 * SessionChangedError, StorageError
 */
export async function repairSession(
  sessions: SessionManager,
  ref: SessionRef,
  options: ChangeOptions = {},
): Promise<RepairReport> {
  return changeStored(sessions, ref, options, async ({ factory, storage, key, lease }) => {
    const { ids, blobs } = factory
    const stat = await storage.stat(key)
    if (!stat) throw noSessionAt(key)
    const lines: Line[] = []
    for await (const line of storedLines(storage, key, stat)) lines.push(line)
    const { parts, changes } = await planRepair(lines, key, { ids, lostHeader: () => guessHeader(factory, key) })
    const repaired = () => assembled(storage, parts, { from: key, identity: stat.identity })
    // The session as it will be is read before it is written.
    const log = await readLog(splitLines(repaired()), key)
    if (!log) throw noBytes(key)
    const after = await verifyLoaded(parsed(log), key, blobs)
    const change = { expected: stat, keepAs: ".repair.bak" }
    const written = lease && changes.length > 0 ? await lease.replace(repaired(), change) : undefined
    return { path: key, changes, backup: written?.kept, after }
  })
}

/** A header for a session that lost its own: the id from its name, the folder from most of its neighbours. */
async function guessHeader(factory: SessionFactory, key: string): Promise<SessionHeader> {
  const { storage } = factory
  const cwds = new Map<string, number>()
  let id: string | undefined
  for await (const name of storage.list()) {
    if (name.key === key) id = name.id
    if (name.key === key || name.error || storage.folderOf(name.key) !== storage.folderOf(key)) continue
    const cwd = await cwdOf(storage, name.key)
    if (cwd !== undefined) cwds.set(cwd, (cwds.get(cwd) ?? 0) + 1)
  }
  const [cwd] = [...cwds].sort(([, a], [, b]) => b - a)[0] ?? [""]
  return { ...factory.newHeader(cwd), ...(id !== undefined && { id }) }
}

/** Undefined for a neighbour that is not a session itself. */
async function cwdOf(storage: SessionSource, key: string): Promise<string | undefined> {
  try {
    return (await readHeader(storage, key))?.cwd
  } catch (error) {
    if (isTreelogError(error)) return undefined
    throw error
  }
}
