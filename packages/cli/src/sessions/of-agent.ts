import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "./command-sessions.js"
import { agentOfProgram, programOf } from "./program-of.js"

type Store = Pick<Sessions, "agent" | "files" | "address">

/** The agent of the sessions of a store whose headers name none. In a database they are treelog's; another folder has its address. */
export function agentOfStore({ io, options }: Pick<CommandContext, "io" | "options">, store: Store): string {
  const program = programOf(io, options.store, store)
  return program === undefined ? (store.files ? store.address : "treelog") : agentOfProgram(program)
}

/** Whether a session is of an agent: by its header, or else by its store. */
export function isOfAgent(agent: string | undefined, ofStore: string): (session: { agent?: string }) => boolean {
  return (session) => agent === undefined || (session.agent ?? ofStore) === agent
}
