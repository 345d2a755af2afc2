import { type OpenStore, ownFolder, STORES } from "@treelog/stores"
import type { Io } from "../io/io.js"

/**
 * Whose store it is, as `--store` takes it; undefined for another folder, and for a database.
 * @param named the name by which it was opened
 */
export function programOf(
  io: Pick<Io, "cwd" | "env">,
  named: string | undefined,
  { agent, files }: Pick<OpenStore, "agent" | "files">,
): string | undefined {
  if (named !== undefined && STORES.includes(agentOfProgram(named))) return named
  return agent ?? files?.name.preset ?? (files?.agentDir === ownFolder(io, "treelog") ? "treelog" : undefined)
}

/** A profile of omp is omp's. */
export function agentOfProgram(program: string): string {
  return program.replace(/:.*/s, "")
}
