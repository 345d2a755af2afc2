/** By `npm run test:long`, every night: how many times as much is tried. A page has no environment. */
const LONG = Number(globalThis.process?.env.TREELOG_LONG ?? 1)
/** In the fast part: which part of it is tried (vitest.config.ts). */
const SHARE = Number(globalThis.process?.env.TREELOG_TRIES ?? 1)

/** How often a test tries something that is random, or that it kills at a random moment: so often in each run of the tests. */
export const tries = (count: number): number => Math.ceil(count * LONG * SHARE)
