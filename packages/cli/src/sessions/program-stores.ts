import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { UsageError } from "../errors/usage-error.js"
import { CommandContext } from "../io/command-context.js"
import { isFolder } from "../io/is-folder.js"
import { AGENTS, PROGRAMS, STORES } from "../program/programs.js"
import { hasSessions } from "./agent-folders.js"
import { ownFolder } from "./store-name.js"

/** The store of a program, and the surroundings of a command that works on it alone. */
export interface ProgramStore {
  readonly program: (typeof STORES)[number]
  readonly context: CommandContext
}

/**
 * The stores of all programs that have one on this machine. Two programs with the same folder are one.
 * @throws UsageError with an option that names a store; SessionNotFoundError where there is none
 */
export async function programStores({ io, options, resources }: CommandContext): Promise<ProgramStore[]> {
  const { store, agentDir, sessionDir } = options
  if ([store, agentDir, sessionDir].some((value) => value !== undefined))
    throw new UsageError("--all-stores cannot be combined with --store, --agent-dir or --session-dir.")
  const contextOf = (name: string) => new CommandContext(io, { ...options, store: name }, resources)
  const stores = new Map<string, ProgramStore>()
  for (const program of PROGRAMS) {
    const folder = ownFolder(io, program)
    if (stores.has(folder) || !(await isFolder(join(folder, "sessions")))) continue
    stores.set(folder, { program, context: contextOf(program) })
  }
  for (const agent of AGENTS)
    if (await hasSessions(io, agent)) stores.set(agent, { program: agent, context: contextOf(agent) })
  if (stores.size > 0) return [...stores.values()]
  const message = `There is no store of ${STORES.join(", ")} on this machine. \`treelog new\` creates one.`
  throw new TreelogError("SessionNotFoundError", message, { ref: "" })
}
