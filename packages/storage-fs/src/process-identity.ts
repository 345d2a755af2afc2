import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { errnoOf } from "@treelog-internal/fs"
import { nodeChildProcess } from "./lazy-modules.js"

/**
 * Distinguishes a process from any other, also from a later one with its pid. What a platform does not report is
 * absent.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Which run of the machine it belongs to. */
  readonly boot?: string
  /** Among which processes the pid counts: containers number their own. */
  readonly space?: string
  /** When it was started, as the system counts. */
  readonly started?: string
}

let own: ProcessIdentity | undefined

export function ownIdentity(): ProcessIdentity {
  own ??= identify()
  return own
}

/**
 * Whether the process is surely gone. One of another host may always be there still; one of this host is gone when
 * the machine was restarted since, when nothing has the pid, when it is a zombie, or when what has the pid was started
 * at another time.
 */
export function hasEnded(owner: ProcessIdentity): boolean {
  const us = ownIdentity()
  if (owner.host !== us.host) return false
  if (differ(owner.boot, us.boot)) return true
  if (differ(owner.space, us.space)) return !isSpaceAlive(owner.space)
  if (!isAlive(owner.pid)) return true
  const found = findProcess(owner.pid)
  // A system may hide the processes of others: then that it is alive is all there is to know.
  if (found === undefined) return !isAlive(owner.pid)
  return found.isZombie || differ(owner.started, found.started)
}

function identify(): ProcessIdentity {
  const found = findProcess(process.pid)
  const boot = ifThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))
  const space = ifThere(() => readlinkSync("/proc/self/ns/pid"))
  return {
    pid: process.pid,
    host: hostname(),
    ...(boot === undefined ? {} : { boot: boot.trim() }),
    ...(space === undefined ? {} : { space }),
    ...(found === undefined ? {} : { started: found.started }),
  }
}

/** Two names that are both known, and not the same. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}

function findProcess(pid: number): { started: string; isZombie: boolean } | undefined {
  if (process.platform === "linux") return readProc(pid)
  return process.platform === "win32" ? undefined : askPs(pid)
}

function readProc(pid: number): { started: string; isZombie: boolean } | undefined {
  const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  if (stat === undefined) return undefined
  // The second field, the program's name in parentheses, may hold anything. The third is the state, the 22nd the start.
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { started: fields[18] ?? "", isZombie: "ZXx".includes(state) }
}

function askPs(pid: number): { started: string; isZombie: boolean } | undefined {
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" }
  const args = ["-o", "stat=,lstart=", "-p", String(pid)]
  const { stdout } = nodeChildProcess().spawnSync("ps", args, { env, encoding: "utf8" })
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout ?? "") ?? []
  return state === undefined || started === undefined ? undefined : { started, isZombie: state.startsWith("Z") }
}

/** The machine's first space lives as long as the machine; any other, as long as a process is seen in it. */
function isSpaceAlive(space: string | undefined): boolean {
  if (space === "pid:[4026531836]") return true
  return readdirSync("/proc").some(
    (pid) => /^\d+$/.test(pid) && ifThere(() => readlinkSync(`/proc/${pid}/ns/pid`)) === space,
  )
}

/** Undefined for what cannot be read: it is not known. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}
