import type { FileStat, FsPort } from "./fs-port.js"
import { quickStat, quickStats, type StatOutcome } from "./quick-fs.js"

/** Looks at files. What cannot be looked at is an error, or undefined where there is nothing. */
export function statMany(fs: FsPort, paths: readonly string[]): Promise<StatOutcome[]> {
  if (fs.stat === quickStat) return quickStats(paths)
  return Promise.all(
    paths.map((path) =>
      fs.stat(path, { bigint: true }).catch((error: unknown) => {
        if (error instanceof Error) return error
        throw error
      }),
    ),
  )
}

export function isStat(outcome: StatOutcome): outcome is FileStat {
  return outcome !== undefined && !(outcome instanceof Error)
}
