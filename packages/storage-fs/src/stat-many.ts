import { setImmediate } from "node:timers/promises"
import type { FileStat, FsPort } from "./fs-port.js"

/** So many calls are made before the rest of the process has its turn: far less than a millisecond's worth. */
const SLICE = 64

/** The stat of a file, or why there is none; undefined where there is nothing. */
export type StatOutcome = FileStat | Error | undefined

/**
 * Stats files, without promises: of a file that the system has in memory it answers in microseconds, and asking through the thread
 * pool takes several times as long. A list of thousands of sessions does little else.
 */
export async function statMany(fs: FsPort, paths: readonly string[]): Promise<StatOutcome[]> {
  const outcomes: StatOutcome[] = []
  for (const path of paths) {
    if (outcomes.length % SLICE === SLICE - 1) await setImmediate()
    outcomes.push(statNow(fs, path))
  }
  return outcomes
}

export function isStat(outcome: StatOutcome): outcome is FileStat {
  return outcome !== undefined && !(outcome instanceof Error)
}

function statNow(fs: FsPort, path: string): StatOutcome {
  try {
    return fs.statSync(path)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
