import type { Session } from "@treelog/session-core"
import { type SessionStats as Counted, type PartEntries, sessionStats } from "@treelog/session-core/search"
import type { Sessions } from "../sessions/command-sessions.js"
import { amountsOf, partAmounts } from "./amounts.js"
import { DiskTally, type DiskUse } from "./disk-tally.js"
import type { Prices } from "./prices.js"
import { type CostRow, sumsOf } from "./usage-sums.js"

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
  { prices, parts }: { readonly prices: Prices; readonly parts: readonly PartEntries[] },
): Promise<Stats> {
  const tally = new DiskTally(sessions)
  await tally.add(session, path)
  const { messages: roles, models: _, total: __, usages, ...counted } = sessionStats(session.getEntries(), parts)
  const messages = Object.values(roles).reduce((sum, count) => sum + count, 0)
  const usage = sumsOf(usages, prices.at(counted.to === undefined ? undefined : Date.parse(counted.to)))
  return { sessionId: session.getSessionId(), path, ...counted, messages, roles, usage, ...(await tally.use()) }
}

/** The same as a document. */
export function statsDocument({ usage: { models, total, parts }, ...stats }: Stats, prices: Prices): object {
  return {
    ...stats,
    models: Object.fromEntries(models.map((row) => [row.key, amountsOf(row)])),
    total: amountsOf(total),
    parts: parts.map(partAmounts),
    prices: prices.date,
  }
}
