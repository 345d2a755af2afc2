import type { Session, SessionEntry } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { SessionPieces } from "./session-pieces.js"
import { sessionSteps } from "./session-steps.js"
import type { SubAgent } from "./written-steps.js"

/** The transcripts of the sub-agents of a session, by the names that its entries have for them. Each is open until the next one is asked for. */
export type Transcripts = () => AsyncIterable<{ readonly name: string; readonly session: Session }>

/** Where a sub-agent was started. */
interface Start {
  readonly entry: string
  readonly call: string
  readonly title: string | undefined
}

type Transcript = Pick<SubAgent, "steps" | "pieces"> & { readonly starts: ReadonlyMap<string, Start> }

/**
 * The sub-agents of a branch, each with its own, by the ids of the calls that started them. One that has no transcript is not among them.
 * @param path the entries of the branch
 * @param from the agent whose session it is
 * @throws what `transcripts` throws
 */
export async function subAgentsOf(
  path: readonly SessionEntry[],
  transcripts: Transcripts | undefined,
  from: string,
): Promise<ReadonlyMap<string, SubAgent>> {
  const starts = startsIn(path)
  if (!transcripts || starts.size === 0) return new Map()
  const read = new Map<string, Transcript>()
  for await (const { name, session } of transcripts()) {
    const branch = session.getLeafId() === null ? [] : session.getBranch()
    const steps = await sessionSteps(session, branch, { from })
    read.set(name, { steps, pieces: new SessionPieces(session, branch), starts: startsIn(branch) })
  }
  return linked(starts, [], read)
}

/** @param parents the names of the sub-agents in which they were started, the outermost first @param read what is not linked yet */
function linked(
  starts: ReadonlyMap<string, Start>,
  parents: readonly string[],
  read: Map<string, Transcript>,
): Map<string, SubAgent> {
  const subAgents = new Map<string, SubAgent>()
  for (const [name, { entry, call, title }] of starts) {
    const transcript = read.get(name)
    if (!transcript) continue
    read.delete(name)
    const { steps, pieces } = transcript
    const own = linked(transcript.starts, [...parents, name], read)
    subAgents.set(call, { entry, name, parents, title, steps, pieces, subAgents: own })
  }
  return subAgents
}

/** By the names of the transcripts. */
function startsIn(path: readonly SessionEntry[]): Map<string, Start> {
  const starts = new Map<string, Start>()
  for (const entry of path) {
    const { name, role, call, title } = partOf(entry) ?? {}
    if (name !== undefined && call !== undefined && role === "subagent")
      starts.set(name, { entry: entry.id, call, title })
  }
  return starts
}
