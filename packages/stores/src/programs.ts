import { type AgentPlace, PLACES } from "@treelog/agents/places"
import type { Surroundings } from "./surroundings.js"

/** The programs whose stores can be read and written. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const

/** Relatives of pi, whose files have its format. */
export const RELATIVES = ["omo", "prime-agent"] as const

/** The program of a store: a profile of omp is omp's. */
export function agentOfProgram(store: string): string {
  return store.replace(/:.*/s, "")
}

/** Whether the sessions of a store are files that can be written. */
export function isFileProgram(store: string): boolean {
  return [...PROGRAMS, ...RELATIVES].some((program) => program === agentOfProgram(store))
}

type WithPlugIns = Pick<Surroundings, "plugIns">

/** The name of an agent whose sessions can be read where they are: one that treelog knows, or of a plug-in. */
export type Agent = string

function placesOf({ plugIns }: WithPlugIns): readonly AgentPlace[] {
  return plugIns ? [...PLACES, ...plugIns.definitions.map(({ place }) => place)] : PLACES
}

/** The agents whose sessions can be read where they are: those that treelog knows, then those of plug-ins. */
export function agentsOf(surroundings: WithPlugIns): readonly Agent[] {
  return placesOf(surroundings).map(({ name }) => name)
}

/** Where the sessions of an agent are. */
export function placeOf(surroundings: WithPlugIns, agent: Agent): AgentPlace {
  return placesOf(surroundings).find(({ name }) => name === agent) as AgentPlace
}

/** Every name of a store without plug-ins. A profile of omp has the name `omp:PROFILE`. */
export const STORES: readonly string[] = [...PROGRAMS, ...RELATIVES, ...PLACES.map(({ name }) => name)]

/** Whether a name is that of a program or an agent, or of another store of one: `opencode:dev`. */
export function isStoreName(surroundings: WithPlugIns, name: string): boolean {
  const [program = ""] = name.split(":")
  return STORES.includes(program) || agentsOf(surroundings).includes(program)
}
