import { lstatSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { parsedJson } from "@treelog/session-core/json"
import { ifAllowed } from "@treelog-internal/fs"

/** What a file of an agent says of the process that has a session. */
export interface PidFile {
  /** An absolute path. */
  readonly path: string
  readonly pid: number
  /** The id of the session, where the file names one. */
  readonly session?: string
  /** What the process does, in the agent's words: `busy`. */
  readonly status?: string
  /** What it waits for, in the agent's words: `permission prompt`. */
  readonly waitingFor?: string
  /** Since when. Milliseconds since 1970. */
  readonly since?: number
  /** When the file was written. Milliseconds since 1970. */
  readonly written: number
  /** Whether its pids are those that this process sees: not of another machine or container. */
  readonly isSeen: boolean
}

/** Bytes: such a file is small. */
const LONGEST = 64 * 1024

/** Undefined of a file that is gone, cannot be read, or names no process. */
export function pidFileIn(path: string): PidFile | undefined {
  const found = readSmall(path)
  if (!found) return undefined
  const { text, written } = found
  const value = /^\s*\d+\s*$/.test(text) ? { pid: Number(text) } : parsedJson(text)
  if (!isJsonObject(value) || !Number.isSafeInteger(value.pid)) return undefined
  const session = value.sessionId ?? value.session_id
  const since = value.statusUpdatedAt
  return {
    path,
    pid: value.pid as number,
    ...(typeof session === "string" && { session }),
    ...(typeof value.status === "string" && { status: value.status }),
    ...(typeof value.waitingFor === "string" && { waitingFor: value.waitingFor }),
    ...(typeof since === "number" && { since }),
    written,
    isSeen: isOfThisMachine(value),
  }
}

/** By the host and the namespace of pids, where the file names them: `pidDomain` of Claude Code, `pidNs` and `hostname` of Qwen Code. */
function isOfThisMachine({ hostname: host, pidNs, pidDomain }: Record<string, unknown>): boolean {
  if (typeof host === "string" && host !== hostname()) return false
  const space = /pid:\[(\d+)\]/.exec(String(pidDomain))?.[1] ?? (typeof pidNs === "number" ? String(pidNs) : undefined)
  const own = space === undefined ? undefined : ownSpace()
  return own === undefined || own === space
}

function ownSpace(): string | undefined {
  return ifAllowed(() => /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0])
}

/** Its process may have ended meanwhile, or keep it from others. */
function readSmall(path: string): { text: string; written: number } | undefined {
  return ifAllowed(() => {
    const { size, mtimeMs } = lstatSync(path)
    return size > LONGEST ? undefined : { text: readFileSync(path, "utf8"), written: mtimeMs }
  })
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
