import type { OpenStore } from "./open-store.js"
import { isStoreName } from "./programs.js"
import { ownFolder } from "./store-name.js"
import type { Surroundings } from "./surroundings.js"

type Store = Pick<OpenStore, "agent" | "files" | "address">

/**
 * Whose store it is, as `storeNamed` takes it; undefined for another folder, and for a database.
 * @param named the name by which it was opened
 */
export function programOf(
  surroundings: Surroundings,
  named: string | undefined,
  { agent, files }: Omit<Store, "address">,
): string | undefined {
  if (named !== undefined && isStoreName(surroundings, named)) return named
  return agent ?? files?.name.preset ?? (files?.agentDir === ownFolder(surroundings, "treelog") ? "treelog" : undefined)
}

/** A profile of omp is omp's. */
export function agentOfProgram(program: string): string {
  return program.replace(/:.*/s, "")
}

/** The agent of the sessions of a store whose headers name none. In a database they are treelog's; another folder has its address. */
export function madeIn(surroundings: Surroundings, named: string | undefined, store: Store): string {
  const program = programOf(surroundings, named, store)
  return program === undefined ? (store.files ? store.address : "treelog") : agentOfProgram(program)
}
