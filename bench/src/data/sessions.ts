import type { Recipe } from "./recipe.js"

/** Branches start near the leaf: the path to the leaf starts at the first line, and has most of the entries. */
const COMMON = { kind: "session", seed: 1, reach: 8, edits: 0, images: 0.01 } as const

const MIDDLE = { ...COMMON, entries: 10_000, toolOutput: 11_500 } as const

/** 10,000 entries, 50 MB, with a compaction for each megabyte: about as often as a window of 200,000 tokens fills. */
export const MIDDLE_BY_PI: Recipe = { ...MIDDLE, style: "pi", compactions: 50 }

/** The session as pi keeps it when it was started in v1, and as it was before. */
export const MIDDLE_MIGRATED: Recipe = { ...MIDDLE, style: "pi-migrated", compactions: 50 }
export const MIDDLE_V1: Recipe = { ...MIDDLE, style: "pi-v1", compactions: 50 }

/** 10,000 entries, 50 MB, all of them on the path to the leaf and in the context. */
export const MIDDLE_WHOLE: Recipe = { ...MIDDLE, style: "pi", compactions: 0, branching: 0 }

/** 50,000 entries, 300 MB. */
const LARGE = { ...COMMON, entries: 50_000, toolOutput: 14_700, compactions: 300 } as const
export const LARGE_BY_PI: Recipe = { ...LARGE, style: "pi" }
export const LARGE_BY_TREELOG: Recipe = { ...LARGE, style: "treelog" }

/** 1,000 entries, 2 MB. */
export const SMALL_BY_PI: Recipe = { ...COMMON, style: "pi", entries: 1_000, images: 0, compactions: 2 }

/** 60 entries, 0.1 MB. */
export const SMALLEST_BY_PI: Recipe = { ...COMMON, style: "pi", entries: 60, images: 0, compactions: 0 }
