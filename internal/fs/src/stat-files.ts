import { setImmediate } from "node:timers/promises"
import type { FileStat, FsPort } from "./fs-port.js"
import { nodeFs } from "./node-fs.js"
import { isGone } from "./storage-error.js"

/** The stat of what a path leads to; undefined when there is nothing. */
export async function statIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Whether there is a folder at the path, or behind a link there. */
export async function isFolder(path: string): Promise<boolean> {
  return (await statIfThere(nodeFs, path))?.isDirectory() ?? false
}

/** Like `statIfThere`, of the link itself. */
export async function lstatIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.lstat(path, { bigint: true })
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** How many calls are made before other work of the process runs: of all lists together, since many folders have few files. */
const SLICE = 64
let calls = 0

/** The stat of a file, or why there is none; undefined where there is nothing. */
export type StatOutcome = FileStat | Error | undefined

/**
 * Stats files without promises, since a list of thousands of sessions does little else: a stat takes microseconds, and several times
 * as long through the thread pool.
 */
export async function statMany(fs: FsPort, paths: readonly string[]): Promise<StatOutcome[]> {
  const outcomes: StatOutcome[] = []
  for (const path of paths) {
    if (++calls % SLICE === 0) await setImmediate()
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
    if (isGone(error)) return undefined
    if (error instanceof Error) return error
    throw error
  }
}
