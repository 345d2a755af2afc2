import type { Session, SessionEntry } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { SessionPieces } from "./session-pieces.js"
import { sessionSteps } from "./session-steps.js"
import type { SubAgent } from "./written-steps.js"

/** The transcripts of the sub-agents of a session, by the names that its entries have for them. Each is open until the next one is asked for. */
export type Transcripts = () => AsyncIterable<{ readonly name: string; readonly session: Session }>

/**
 * The sub-agents of a branch, by the ids of the calls that started them. One that has no transcript, or that a sub-agent started, is not among them.
 * @param path the entries of the branch
 * @param from the agent whose session it is
 * @throws what `transcripts` throws
 */
export async function subAgentsOf(
  path: readonly SessionEntry[],
  transcripts: Transcripts | undefined,
  from: string,
): Promise<Map<string, SubAgent>> {
  const subAgents = new Map<string, SubAgent>()
  const named = new Map(path.map((entry) => [partOf(entry)?.name, entry]))
  if (!transcripts || named.size <= 1) return subAgents
  for await (const { name, session } of transcripts()) {
    const entry = named.get(name)
    const { role, call, title } = (entry && partOf(entry)) ?? {}
    if (!entry || call === undefined || role !== "subagent") continue
    const branch = session.getLeafId() === null ? [] : session.getBranch()
    const steps = await sessionSteps(session, branch, { from })
    const pieces = new SessionPieces(session, branch)
    subAgents.set(call, { entry: entry.id, name, title, steps, pieces, subAgents: new Map() })
  }
  return subAgents
}
