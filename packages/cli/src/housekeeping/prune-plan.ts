import type { SessionInfo } from "@treelog/session-core"
import { artifactsFolder } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import type { Progress } from "../io/progress.js"
import { plural } from "../render/quantities.js"
import type { Sessions } from "../sessions/compose-sessions.js"
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
  let excess = Number.POSITIVE_INFINITY
  if (options.maxSize !== undefined) {
    excess = -options.maxSize
    for (const info of found) excess += await sizeOf(info)
  }
  const items: PruneItem[] = []
  for (const info of pruneCandidates(found, options, context.startedAt)) {
    context.io.interrupted.throwIfAborted()
    if (excess <= 0) break
    const [bytes, keptFor] = [await sizeOf(info), await reasonToKeep(sessions, info, options)]
    if (keptFor === undefined) excess -= bytes
    items.push({ info, bytes, keptFor })
    await progress.show(`Scanned ${plural(items.length, "session")}`)
  }
  return { items, excess: options.maxSize === undefined ? 0 : Math.max(0, excess) }
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
