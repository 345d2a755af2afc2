import type { SessionInfo } from "../session/listing/session-info.js"

/** Which sessions to delete. A session has to match every rule. */
export interface PruneRules {
  /** Without a message for so long. Milliseconds. */
  readonly olderThan: number
  /** But keep so many of each project, the newest. */
  readonly keepLast?: number | undefined
  /** The project of a folder. Default: the folder itself. */
  readonly projectOf?: ((cwd: string, repositoryOf?: () => string | undefined) => string) | undefined
  /** Only those whose last message was at this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Only those whose last message was before this time. Milliseconds since 1970. */
  readonly until?: number | undefined
  /** Only those without a message. */
  readonly empty?: boolean | undefined
  /** Stop when all sessions together have no more bytes than this. */
  readonly maxSize?: number | undefined
  /** Also sessions that have a name. */
  readonly includeNamed?: boolean | undefined
  /** Also sessions in which an entry has a label. */
  readonly includeLabelled?: boolean | undefined
}

/** What a list does not report of a session. It is read only where a rule needs it. */
export interface PruneFacts {
  /** Bytes that deleting the session frees, with what is deleted along with it. */
  sizeOf(info: SessionInfo): Promise<number>
  isInUse(info: SessionInfo): Promise<boolean>
  hasLabels(info: SessionInfo): Promise<boolean>
}

/** Why a session that matches the rules is kept. */
export type KeptFor = "named" | "labelled" | "leased"

/** A session that matches the rules. */
export interface PruneItem {
  readonly info: SessionInfo
  /** Bytes that deleting it frees. */
  readonly bytes: number
  /** Undefined for a session to delete. */
  readonly keptFor: KeptFor | undefined
}

/** The sessions that match the rules, and what is wrong with the rest. */
export interface PrunePlan {
  /** Oldest first. */
  readonly items: readonly PruneItem[]
  /** Sessions whose facts could not be read: they are kept. */
  readonly failures: readonly { readonly info: SessionInfo; readonly error: unknown }[]
  /** Bytes above `maxSize` that remain. */
  readonly excess: number
}

/**
 * Plans which sessions of a list to delete, in any storage. Writes nothing, and asks for as few facts as possible. A session that
 * cannot be read, or names no time, has no known age, and is kept.
 * @param now milliseconds since 1970
 */
export async function planPrune(
  sessions: readonly SessionInfo[],
  rules: PruneRules,
  facts: PruneFacts,
  now: number,
): Promise<PrunePlan> {
  const failures = new Map<SessionInfo, unknown>()
  const sizes = new Map<SessionInfo, number>()
  let excess = rules.maxSize === undefined ? Number.POSITIVE_INFINITY : -rules.maxSize
  if (rules.maxSize !== undefined)
    for (const info of sessions) {
      await facts.sizeOf(info).then(
        (bytes) => sizes.set(info, bytes),
        (error: unknown) => failures.set(info, error),
      )
      excess += sizes.get(info) ?? info.size
    }
  const items: PruneItem[] = []
  for (const info of matching(sessions, rules, now)) {
    if (excess <= 0) break
    if (failures.has(info)) continue
    try {
      const bytes = sizes.get(info) ?? (await facts.sizeOf(info))
      const keptFor = await reasonToKeep(info, rules, facts)
      if (keptFor === undefined) excess -= bytes
      items.push({ info, bytes, keptFor })
    } catch (error) {
      failures.set(info, error)
    }
  }
  return {
    items,
    failures: [...failures].map(([info, error]) => ({ info, error })),
    excess: rules.maxSize === undefined ? 0 : Math.max(0, excess),
  }
}

/** Oldest first. */
function matching(
  sessions: readonly SessionInfo[],
  {
    olderThan,
    keepLast = 0,
    empty = false,
    since = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    projectOf = (cwd) => cwd,
  }: PruneRules,
  now: number,
): SessionInfo[] {
  const newestFirst = sessions
    .filter(({ error, modified }) => !error && modified > 0)
    .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
  const seen = new Map<string, number>()
  const found = newestFirst.filter(({ cwd, repository, modified, messageCount }) => {
    const project = projectOf(cwd, () => repository)
    const place = (seen.get(project) ?? 0) + 1
    seen.set(project, place)
    const isInTime = now - modified >= olderThan && modified >= since && modified < until
    return place > keepLast && isInTime && (!empty || messageCount === 0)
  })
  return found.reverse()
}

async function reasonToKeep(info: SessionInfo, rules: PruneRules, facts: PruneFacts): Promise<KeptFor | undefined> {
  if (info.name !== undefined && !rules.includeNamed) return "named"
  if (await facts.isInUse(info)) return "leased"
  return !rules.includeLabelled && (await facts.hasLabels(info)) ? "labelled" : undefined
}
