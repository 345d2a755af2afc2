import { statSync } from "node:fs"
import type { StorageStat } from "@treelog/session-core/adapter"
import type { FileStat } from "./fs-port.js"

/** The part of a stat that shows whether a file has changed. */
export type FileMarks = Pick<FileStat, "dev" | "ino" | "size" | "mtimeNs" | "birthtimeNs">

export function storedStat(stat: FileMarks): StorageStat {
  return { size: Number(stat.size), modified: Number(stat.mtimeNs) / 1e6, identity: identityOf(stat) }
}

/**
 * Distinguishes a file from a later one with the same name. The inode number alone does not: a file system gives the number
 * of a removed file to the next one that is made, so the time of birth is part of it where it is known.
 */
export function identityOf({ dev, ino, birthtimeNs }: Pick<FileMarks, "dev" | "ino" | "birthtimeNs">): string {
  return birthtimesAreTrue() ? `${dev}:${ino}:${birthtimeNs}` : `${dev}:${ino}`
}

/** Whether both have the same identity. */
export function isSameFile(a: FileMarks, b: FileMarks): boolean {
  return a.ino === b.ino && a.dev === b.dev && (a.birthtimeNs === b.birthtimeNs || !birthtimesAreTrue())
}

let areTrue: boolean | undefined

/**
 * Without the statx call (an old container's filter forbids it), Node reports the time of the last change as that of
 * birth: it would make every append look like a new file. The program that runs us was not changed when it was born; where it is gone, or
 * without /proc has no path, that is not known.
 */
function birthtimesAreTrue(): boolean {
  if (areTrue === undefined) {
    const program = statSync(process.execPath, { bigint: true, throwIfNoEntry: false })
    areTrue = program !== undefined && program.birthtimeNs !== program.ctimeNs
  }
  return areTrue
}
