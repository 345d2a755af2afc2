import type { Session, SessionEntry } from "@treelog/session-core"
import { openedParts, partOf } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import { type ModelUsage, usagesOf } from "@treelog/session-core/search"
import { textOf } from "@treelog-internal/text"
import type { PartName } from "./step.js"

/** The transcript of a part of the session, such as a sub-agent. */
export interface ExportPart {
  /** Of its artifact, as entries of the session name it. */
  readonly name: PartName
  /** Open until the next one is asked for. */
  readonly session: Session
}

/** What has to be known of the parts before anything of the session is exported. */
export interface PartFacts {
  /** Those that are exported: of one branch, those that are named there. */
  readonly names: ReadonlySet<PartName>
  /** The roles of those that the session names. */
  readonly roles: ReadonlyMap<PartName, string>
  /** Whether an entry of a part is a copy of one of the session, as a fork of it has them. */
  isCopy(entry: SessionEntry): boolean
  /** Of what an entry of the session used: without what a part is exported with. */
  own(usages: readonly ModelUsage[]): ModelUsage[]
  /** Of what an entry of a part used whose session has it too: what is left out of the session. */
  ofPart(usages: readonly ModelUsage[]): ModelUsage[]
}

/**
 * Reads the parts. Some sessions list what their sub-agents used, response by response: that counts with the part where it is exported, and once.
 * @param stored the exported entries of the session
 */
export async function partFacts(
  stored: Iterable<SessionEntry>,
  parts: AsyncIterable<ExportPart> | Iterable<ExportPart>,
  isWhole: boolean,
): Promise<PartFacts> {
  const [names, roles, copies] = [new Set<PartName>(), new Map<PartName, string>(), new Set<string>()]
  const [listed, found] = [new Map<string, number>(), new Map<string, number>()]
  for (const entry of stored) {
    copies.add(copyKey(entry))
    const part = partOf(entry)
    for (const { name, role } of part ? [part] : openedParts("message" in entry ? entry.message : undefined))
      roles.set(name, role)
    if (entry.type === "usage") for (const one of usagesOf(entry)) add(listed, one)
  }
  for await (const { name, session } of parts) {
    if (!isWhole && !roles.has(name)) continue
    names.add(name)
    if (!isListed(session)) continue
    for (const entry of session.iterateEntries()) for (const one of usagesOf(entry)) add(found, one)
  }
  const both = [...listed].map(([key, count]) => [key, Math.min(count, found.get(key) ?? 0)] as const)
  const [inSession, inParts] = [new Map(both), new Map(both)]
  return {
    names,
    roles,
    isCopy: (entry) => copies.has(copyKey(entry)),
    own: (usages) => usages.filter((one) => !take(inSession, one)),
    ofPart: (usages) => usages.filter((one) => take(inParts, one)),
  }
}

/** Whether the session that a part belongs to lists what it used. */
export function isListed(session: Session): boolean {
  return session.getHeader().countedIn !== undefined
}

function copyKey({ id, timestamp }: SessionEntry): string {
  return `${id} ${textOf(timestamp)}`
}

function keyOf({ role: _, ...usage }: ModelUsage): string {
  return jsonText(usage)
}

function add(counts: Map<string, number>, usage: ModelUsage): void {
  counts.set(keyOf(usage), (counts.get(keyOf(usage)) ?? 0) + 1)
}

function take(counts: Map<string, number>, usage: ModelUsage): boolean {
  const count = counts.get(keyOf(usage)) ?? 0
  if (count > 0) counts.set(keyOf(usage), count - 1)
  return count > 0
}
