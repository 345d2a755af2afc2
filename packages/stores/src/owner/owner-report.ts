import type { OwnedSession, WhyHidden } from "@treelog/agents"
import { isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { ProjectFolders } from "../project-folders.js"
import type { Surroundings } from "../surroundings.js"
import { ownedStore } from "./owned-store.js"

/** A session that its agent does not list, and why. */
export interface HiddenSession extends WhyHidden {
  readonly id: string
  readonly path: string
  /** Of a removed worktree: the folder of its repository. */
  readonly repository?: string
  /** Whether `unhide` makes the agent list it. */
  readonly canUnhide: boolean
}

/** What an agent lists of the sessions of a store, and what it will delete. */
export interface OwnerReport {
  /** How many sessions it lists, when it is started in the folder of each. */
  readonly listed: number
  readonly hidden: readonly HiddenSession[]
  readonly deletion?: NextDeletion
}

/** What an agent deletes by itself. */
export interface NextDeletion {
  /** After the last change of a session; undefined where it deletes none. */
  readonly afterDays: number | undefined
  /** Where that is set, or can be. */
  readonly setting?: string
  readonly isDefault?: boolean
  /** How many sessions are old enough: they are deleted when it starts, or at its next sweep. */
  readonly due: number
  /** When the next one is. Milliseconds since 1970. */
  readonly next?: number
}

const DAY = 86_400_000

/**
 * What the agent of a store lists of its sessions, by the rules of the agent's own list.
 * @param store as `storeNamed` takes it
 * @param sessions those of the store, without parts
 * @returns undefined where its rules are not known
 * @throws StorageError
 */
export async function ownerReport(
  surroundings: Surroundings,
  store: string,
  sessions: readonly OwnedSession[],
  now: number,
): Promise<OwnerReport | undefined> {
  const owned = await ownedStore(surroundings, store)
  if (!owned) return undefined
  const { rules } = owned
  const why = await rules.whyHidden(owned.store)
  const projects = new ProjectFolders()
  const hidden: HiddenSession[] = []
  for (const session of sessions) {
    const found = await why(session)
    if (!found) continue
    const { id, path, cwd } = session
    // It was a worktree, or a folder in one.
    const isOfRepository = found.reason === "folder-gone" && cwd !== "" && projects.isInRepository(cwd)
    const { reason, detail } = isOfRepository ? { ...found, reason: "worktree-gone" as const } : found
    const canUnhide = isOfRepository ? rules.relocate !== undefined : rules.unhides?.includes(reason) === true
    hidden.push({
      ...{ id, path, reason, canUnhide },
      ...(detail !== undefined && { detail }),
      ...(isOfRepository && { repository: projects.titleOf(cwd) }),
    })
  }
  const deletion = rules.deletion && (await nextDeletion(owned, sessions, now))
  return { listed: sessions.length - hidden.length, hidden, ...(deletion && { deletion }) }
}

async function nextDeletion(
  { rules, store }: NonNullable<Awaited<ReturnType<typeof ownedStore>>>,
  sessions: readonly OwnedSession[],
  now: number,
): Promise<NextDeletion> {
  const rule = await rules.deletion?.(store, new Set(sessions.flatMap(({ cwd }) => cwd || [])))
  if (!rule) return { afterDays: undefined, due: 0 }
  const stats = await statMany(
    nodeFs,
    sessions.map(({ path }) => path),
  )
  const { isExempt, afterDays, ...setting } = rule
  const files = sessions.flatMap(({ path }, at) => {
    const stat = stats[at]
    return isStat(stat) ? { path, modified: Number(stat.mtimeNs) / 1e6 } : []
  })
  let due = 0
  for (const { path, modified } of files.sort((a, b) => a.modified - b.modified)) {
    if (await isExempt?.(path, modified, now)) continue
    const next = modified + afterDays * DAY
    if (next > now) return { ...setting, afterDays, due, next }
    due++
  }
  return { ...setting, afterDays, due }
}
