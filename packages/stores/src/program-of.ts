import type { OpenStore } from "./open-store.js"
import { agentOfProgram, isStoreName, PROGRAMS } from "./programs.js"
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

/**
 * The agent of the sessions of a store whose headers name none, the same by whatever name it was opened. In a database they are treelog's; a
 * folder that is no program's has its address.
 */
export function madeIn(surroundings: Surroundings, named: string | undefined, store: Store): string {
  const isOwn = (program: (typeof PROGRAMS)[number]): boolean =>
    store.files?.agentDir === ownFolder(surroundings, program)
  const program = programOf(surroundings, named, store) ?? PROGRAMS.find(isOwn)
  return program === undefined ? (store.files ? store.address : "treelog") : agentOfProgram(program)
}
