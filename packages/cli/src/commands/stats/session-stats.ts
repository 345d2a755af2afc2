import { isTreelogError, type Session, type SessionManager, type SessionSource } from "@treelog/session-core"
import { sessionStats, sumsOf } from "@treelog/session-core/search"
import { type DiskUse, diskUse } from "../../sessions/disk-use.js"
import type { DatedPrices } from "../../sessions/prices.js"
import type { Sessions } from "../../store/command-sessions.js"
import { amountsOf, type CostRow, partAmounts } from "./usage-document.js"

type Counted = ReturnType<typeof sessionStats>
type PartEntries = NonNullable<Parameters<typeof sessionStats>[1]>[number]

/** Statistics of a session: messages by role, usage and cost, and disk space. */
export interface Stats extends Omit<Counted, "messages" | "models" | "total" | "usages">, DiskUse {
  readonly sessionId: string
  readonly path: string
  readonly messages: number
  /** How many messages of each role. */
  readonly roles: Readonly<Record<string, number>>
  readonly usage: { readonly models: readonly CostRow[]; readonly total: CostRow; readonly parts: readonly CostRow[] }
}

export async function statsOfSession(
  sessions: Sessions,
  session: Session,
  path: string,
  { prices, parts }: { readonly prices: DatedPrices; readonly parts: readonly PartEntries[] },
): Promise<Stats> {
  const { messages: roles, models: _, total: __, usages, ...counted } = sessionStats(session.getEntries(), parts)
  const messages = Object.values(roles).reduce((sum, count) => sum + count, 0)
  const sums = sumsOf(usages, prices.at(counted.to === undefined ? undefined : Date.parse(counted.to)))
  return {
    sessionId: session.getSessionId(),
    path,
    ...counted,
    messages,
    roles,
    usage: { models: sums.rows("model"), total: sums.total, parts: sums.parts },
    ...(await diskUse(sessions, session, path)),
  }
}

/** What `--json` prints of the statistics. */
export function statsDocument({ usage: { models, total, parts }, ...stats }: Stats, prices: DatedPrices): object {
  return {
    ...stats,
    models: Object.fromEntries(models.map((row) => [row.key, amountsOf(row)])),
    total: amountsOf(total),
    parts: parts.map(partAmounts),
    prices: prices.date,
  }
}

/**
 * The parts of a session that it does not count itself.
 * @param onUnreadable gets why a file among them cannot be read, with its path
 */
export async function partEntries(
  manager: SessionManager<SessionSource>,
  path: string,
  onUnreadable: (reason: string) => Promise<void>,
): Promise<PartEntries[]> {
  const found: PartEntries[] = []
  for await (const { key, part, error } of manager.storage.parts(path)) {
    try {
      if (error) throw error
      const session = await manager.open(key, { access: "read" })
      const { countedIn } = session.getHeader()
      if (part && countedIn === undefined) found.push({ ...part, entries: session.getEntries() })
      await session.close()
    } catch (fault) {
      if (!isTreelogError(fault)) throw fault
      // A file beside the session that is no transcript.
      if (isTreelogError(fault, "InvalidSessionError") && !fault.data.isDamaged) continue
      await onUnreadable(fault.message)
    }
  }
  return found
}
