import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { AGENTS, type Agent, placeOf } from "@treelog/stores"

/** pi and its relatives. */
const PROGRAMS = ["pi", "omp", "xcsh"] as const

/** The agents that can continue a session, by the names of their stores. */
const RESUMING = [...PROGRAMS, ...AGENTS.filter((agent) => placeOf(agent).resume)]

export type ResumingAgent = (typeof PROGRAMS)[number] | Agent

/** How an agent is started with a session. */
export interface AgentCommand {
  readonly agent: ResumingAgent
  /** Found on PATH. */
  readonly program: string
  readonly args: readonly string[]
  /** The folder of the session: agents look for their files, and some for the session, in the current one. */
  readonly cwd: string
}

type ResumedSession = Pick<SessionInfo, "path" | "id" | "cwd">

/** pi and its relatives take the path of a session, others its id. */
function startOf(agent: ResumingAgent, { path, id }: ResumedSession): readonly [program: string, ...args: string[]] {
  if (agent === "pi" || agent === "omp" || agent === "xcsh") return [agent, "--session", path]
  const [program, ...args] = placeOf(agent).resume ?? [agent]
  return [program, ...args.map((arg) => arg.replace("$ID", () => id))]
}

/** An id comes from a file that anybody may have written: one that begins with a dash would be an option of the agent. */
const ID = /^[A-Za-z0-9][\w.-]*$/

/**
 * The command that continues a session of an agent.
 * @throws InvalidArgumentError for an id that no agent writes
 */
export function agentCommand(agent: ResumingAgent, session: ResumedSession): AgentCommand {
  if (!ID.test(session.id)) {
    const message = `${agent} is not started with a session of the id ${JSON.stringify(session.id)}: no agent writes such ids.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "id", value: session.id })
  }
  const [program, ...args] = startOf(agent, session)
  return { agent, program, args, cwd: session.cwd }
}

/** The agent that owns the sessions of a store, or of a profile; undefined for treelog's own, and for other folders. */
export function agentOfStore(store: string | undefined): ResumingAgent | undefined {
  return RESUMING.find((agent) => agent === store?.replace(/:.*/, ""))
}
