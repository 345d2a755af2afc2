import type { SessionInfo } from "@treelog/session-core"
import { artifactsFolder } from "@treelog/storage-fs"
import { plural } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import type { Progress } from "../io/progress.js"
import type { Sessions } from "../sessions/compose-sessions.js"
import { type Failure, ofSession } from "../sessions/stored-keys.js"
import { folderSize } from "../stats/folder-size.js"
import { hasLabels } from "./has-labels.js"
import { type PruneRules, pruneCandidates } from "./prune-rules.js"

/** Why a session stays that would go by the rules. */
export type KeptFor = "named" | "labelled" | "leased"

export interface PruneOptions extends PruneRules {
  /** Bytes of all candidate sessions, with their artifacts: prune stops when enough are deleted. */
  readonly maxSize?: number
  readonly includeNamed?: boolean
  readonly includeLabelled?: boolean
}

/** A session that the rules fit. */
export interface PruneItem {
  readonly info: SessionInfo
  /** With its artifacts. */
  readonly bytes: number
  readonly keptFor: KeptFor | undefined
}

export interface PrunePlan {
  readonly items: readonly PruneItem[]
  /** Sessions that could not be looked into: they stay. */
  readonly failures: readonly Failure[]
  /** With `maxSize`: how many bytes too many are left. */
  readonly excess: number
}

/** Returns the sessions to delete, oldest first. Reads as few sessions as possible, and writes nothing. */
export async function planPrune(
  context: CommandContext,
  sessions: Sessions,
  found: readonly SessionInfo[],
  options: PruneOptions,
  progress: Progress,
): Promise<PrunePlan> {
  const sizes = new Map<string, number>()
  const sizeOf = async (info: SessionInfo): Promise<number> => {
    const known = sizes.get(info.path) ?? (await sizeWithArtifacts(info))
    sizes.set(info.path, known)
    return known
  }
  const failures = new Map<string, Failure>()
  /** Undefined where that fails, which is noted. */
  const tried = async <Result extends object>(
    path: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    const result = await ofSession(context, path, work)
    if (!("error" in result)) return result
    failures.set(path, result)
    return undefined
  }
  let excess = Number.POSITIVE_INFINITY
  if (options.maxSize !== undefined) {
    excess = -options.maxSize
    for (const info of found)
      excess += (await tried(info.path, async () => ({ bytes: await sizeOf(info) })))?.bytes ?? info.size
  }
  const items: PruneItem[] = []
  for (const info of pruneCandidates(found, options, context.startedAt)) {
    context.io.interrupted.throwIfAborted()
    if (excess <= 0) break
    if (failures.has(info.path)) continue
    const known = await tried(info.path, async () => {
      return { bytes: await sizeOf(info), keptFor: await reasonToKeep(sessions, info, options) }
    })
    if (!known) continue
    const { bytes, keptFor } = known
    if (keptFor === undefined) excess -= bytes
    items.push({ info, bytes, keptFor })
    await progress.show(`Scanned ${plural(items.length, "session")}`)
  }
  return { items, failures: [...failures.values()], excess: options.maxSize === undefined ? 0 : Math.max(0, excess) }
}

async function sizeWithArtifacts({ path, size }: SessionInfo): Promise<number> {
  const artifacts = artifactsFolder(path)
  return size + (artifacts === undefined ? 0 : await folderSize(artifacts))
}

async function reasonToKeep(
  sessions: Sessions,
  info: SessionInfo,
  { includeNamed, includeLabelled }: PruneOptions,
): Promise<KeptFor | undefined> {
  if (info.name !== undefined && !includeNamed) return "named"
  if (await sessions.storage.holderOf(info.path)) return "leased"
  return !includeLabelled && (await hasLabels(sessions, info)) ? "labelled" : undefined
}
