/** The programs whose stores can be read and written. In a file of its own, which commands import without commander. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const

/** The agents whose sessions can be read where they are. */
export const AGENTS = ["claude-code", "codex"] as const

export type Agent = (typeof AGENTS)[number]

/** Every name of a store. */
export const STORES = [...PROGRAMS, ...AGENTS] as const
