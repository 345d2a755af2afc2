/** The programs whose stores can be named. In a file of its own, which commands import without commander. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const
