import { constants } from "node:fs"

/**
 * How a call fails:
 * - an errno: it does nothing and fails; a `close` closes anyway, as real ones do;
 * - `short`: a write takes half of the bytes and says so;
 * - `short-ENOSPC`: a write takes half, and the call after it fails: the disk became full;
 * - `crash`: this and every later call fails, and nothing more reaches the disk;
 * - `torn-crash`: the same at a write, which takes half of the bytes first.
 *
 * Those with half of the bytes count writes alone.
 */
export type FaultKind = "ENOSPC" | "EIO" | "EINTR" | "EPERM" | "short" | "short-ENOSPC" | "crash" | "torn-crash"

export interface FaultPlan {
  readonly fault: FaultKind
  /** Which of the calls fails, from 1; the first by default. */
  readonly at?: number
  /** Counts only calls of this name: `rename`, `file.write`. */
  readonly operation?: string
  /** Counts only calls that change what is on the disk. */
  readonly mutating?: boolean
  /** How many calls fail, from there on; 1 by default. */
  readonly times?: number
  /** The call is carried out and then fails, as a network may have it. */
  readonly late?: boolean
}

export const isErrno = (kind: FaultKind): boolean => /^E/.test(kind)

/** Whether it is a fault of writes alone. */
export const isHalf = (kind: FaultKind): boolean => kind.includes("short") || kind === "torn-crash"

const WRITES = new Set(["file.write", "file.writeSync"])

export const isWrite = (operation: string): boolean => WRITES.has(operation)

const READING = new Set([
  "stat",
  "statSync",
  "lstat",
  "lstatSync",
  "realpath",
  "realpathSync",
  "readlink",
  "readdir",
  "watch",
])

/** Whether the call changes what is on the disk. Of an open file, what only reads it begins with `file.` too. */
export function isMutating(operation: string, args: readonly unknown[]): boolean {
  if (operation === "openSync" && args[1] === undefined) return false
  if (operation === "open" || operation === "openSync")
    return args[1] !== "r" && (typeof args[1] !== "number" || (args[1] & constants.O_CREAT) !== 0)
  if (operation.startsWith("file.")) return !/\.(?:read|stat|close|readSync|statSync|closeSync)$/.test(operation)
  return !READING.has(operation)
}

/** What every call fails with since the crash. It is not a system error, so it is not taken for one. */
export class CrashError extends Error {
  constructor(operation: string) {
    super(`The process died at ${operation}`)
    this.name = "CrashError"
  }
}

export function systemError(code: string, operation: string): Error {
  return Object.assign(new Error(`${code}: injected, ${operation}`), { code, errno: -1, syscall: operation })
}
