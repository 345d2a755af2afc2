import type { SessionHeader } from "../../entry/header.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { readLog, type SessionLog } from "../../log/session-log.js"
import { splitLines } from "../../log/split-lines.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { assembled } from "../reader/assembled.js"
import { parsed } from "../reader/load-stored.js"
import { readHeader } from "../reader/read-header.js"
import { storedLines } from "../reader/read-stored.js"
import { noSessionAt } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
import { planRepair, type RepairPlan } from "./plan-repair.js"
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
  /** What `verify` reports of the repaired session. */
  readonly after: Verification
}

/**
 * Repairs a stored session, keeping the old one beside it. With `dryRun` nothing is written.
 * @throws SessionBusyError, UnsupportedVersionError, SessionChangedError, StorageError
 */
export async function repairSession(factory: SessionFactory, key: string, dryRun: boolean): Promise<RepairReport> {
  const { storage } = factory
  const lease = dryRun ? undefined : await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    const stat = await storage.stat(key)
    if (!stat) throw noSessionAt(key)
    if (stat.size === 0)
      throw new TreelogError("InvalidSessionError", `${key} is empty: there is nothing to repair.`, {
        key,
        found: "no bytes",
      })
    const plan = await plannedRepair(factory, key, stat)
    const repaired = () => assembled(storage, plan.parts, { from: key, identity: stat.identity })
    const after = await verifyLoaded(parsed(await repairedLog(repaired(), key)), key, factory.blobs)
    const written =
      lease && plan.changes.length > 0
        ? await lease.replace(repaired(), { expected: stat, keepAs: ".repair.bak" })
        : undefined
    return { path: key, changes: plan.changes, backup: written?.kept, after }
  } finally {
    await lease?.release()
  }
}

/** The session as it will be, read before it is written. */
async function repairedLog(bytes: AsyncIterable<Uint8Array>, key: string): Promise<SessionLog> {
  const log = await readLog(splitLines(bytes), key)
  if (log) return log
  throw new TreelogError("InvalidSessionError", `${key} has no line that could be repaired.`, {
    key,
    found: "only blank lines",
  })
}

async function plannedRepair(factory: SessionFactory, key: string, stat: StorageStat): Promise<RepairPlan> {
  const lines: Line[] = []
  for await (const line of storedLines(factory.storage, key, stat)) lines.push(line)
  return planRepair(lines, key, { ids: factory.ids, lostHeader: () => guessHeader(factory, key) })
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

/** Undefined for a neighbour that is no session itself. */
async function cwdOf(storage: SessionStorage, key: string): Promise<string | undefined> {
  try {
    return (await readHeader(storage, key))?.cwd
  } catch (error) {
    if (isTreelogError(error)) return undefined
    throw error
  }
}
