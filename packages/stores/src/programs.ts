/** The programs whose stores can be read and written. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const

/** The agents whose sessions can be read where they are. */
export const AGENTS = ["claude-code", "codex"] as const

export type Agent = (typeof AGENTS)[number]

/** Every name of a store. A profile of omp has the name `omp:PROFILE`. */
export const STORES = [...PROGRAMS, ...AGENTS] as const
