import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { ifAllowed } from "@treelog-internal/fs"
import { nodeChildProcess } from "../lazy-modules.js"

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
  /** When it was started, as the system counts. Absent in a namespace of times, which counts otherwise. */
  readonly started?: string
}

let own: ProcessIdentity | undefined

export function ownIdentity(): ProcessIdentity {
  own ??= identify()
  return own
}

/**
 * Whether the process is surely gone, by what can be seen. One of another host may always be there still, and so may one that this process cannot
 * see, since its pid counts in another namespace; one of this host is gone when the machine was restarted since, when nothing has the pid, when it
 * is a zombie, or when what has the pid was started at another time.
 */
export function hasEnded(owner: ProcessIdentity): boolean {
  const us = ownIdentity()
  if (!isOfThisBoot(owner)) return owner.host === us.host && owner.boot !== undefined && us.boot !== undefined
  if (!isSeen(owner)) return false
  if (owner.space !== us.space) return !isInInnerSpace(owner)
  if (!isAlive(owner.pid)) return true
  const found = seesAll() ? findProcess(owner.pid) : undefined
  // A system may hide the processes of others: then that it is alive is all there is to know.
  if (found === undefined) return !isAlive(owner.pid)
  return found.isZombie || !isSameStart(owner, found)
}

/** Whether the times at which two processes were started are the same, or one of them is not known. */
function isSameStart(owner: ProcessIdentity, found: FoundProcess): boolean {
  return owner.started === undefined || found.started === undefined || owner.started === found.started
}

/** Whether a process of this host could be seen from here, if it lives: from its own namespace, and from the first one. */
export function isSeen(owner: ProcessIdentity): boolean {
  const us = ownIdentity()
  if (!isOfThisBoot(owner)) return false
  const { space } = owner
  // Without /proc, nothing says whose pids are counted.
  if (us.space === undefined && process.platform === "linux") return false
  return space === us.space || (space !== undefined && us.space === FIRST_SPACE && seesAll())
}

/** Whether it is a process of this machine and its present run. The name of the host says less: a container has another one. */
export function isOfThisBoot({ host, boot }: ProcessIdentity): boolean {
  const us = ownIdentity()
  return boot === us.boot && (boot !== undefined || host === us.host)
}

function identify(): ProcessIdentity {
  const found = process.platform === "linux" ? readProc("self") : findProcess(process.pid)
  const boot = ifAllowed(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))
  const space = ifAllowed(() => readlinkSync("/proc/self/ns/pid"))
  return {
    pid: process.pid,
    host: hostname(),
    ...(boot === undefined ? {} : { boot: boot.trim() }),
    ...(space === undefined ? {} : { space }),
    ...(found?.started === undefined ? {} : { started: found.started }),
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}

interface FoundProcess {
  readonly started: string | undefined
  readonly isZombie: boolean
}

function findProcess(pid: number): FoundProcess | undefined {
  if (process.platform === "linux") return readProc(pid)
  return process.platform === "win32" ? undefined : askPs(pid)
}

function readProc(pid: number | "self"): FoundProcess | undefined {
  const stat = ifAllowed(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  if (stat === undefined) return undefined
  // The second field, the program's name in parentheses, may hold anything. The third is the state, the 22nd the start.
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { started: isFirstTime() ? (fields[18] ?? "") : undefined, isZombie: "ZXx".includes(state) }
}

/** Whether times are those of the machine itself: `/proc` has them as they are in the namespace of who reads. */
function isFirstTime(): boolean {
  return (ifAllowed(() => readlinkSync("/proc/self/ns/time")) ?? FIRST_TIME) === FIRST_TIME
}

function askPs(pid: number): FoundProcess | undefined {
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" }
  const args = ["-o", "stat=,lstart=", "-p", String(pid)]
  const { stdout } = nodeChildProcess().spawnSync("ps", args, { env, encoding: "utf8" })
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout ?? "") ?? []
  return state === undefined || started === undefined ? undefined : { started, isZombie: state.startsWith("Z") }
}

/** The namespace of pids of the machine itself, from which the processes of all others are seen. */
export const FIRST_SPACE = "pid:[4026531836]"
const FIRST_TIME = "time:[4026531834]"

/** Whether `/proc` is that of the own namespace, of which `unshare --pid` keeps the outer one, and shows the processes of others. */
function seesAll(): boolean {
  if (process.platform !== "linux") return true
  const isOwn = ifAllowed(() => readlinkSync("/proc/self")) === String(process.pid)
  return isOwn && ifAllowed(() => readFileSync("/proc/1/status", "utf8")) !== undefined
}

/** Whether a process that is seen from the first namespace has this pid in an inner one, and was started at this time. */
function isInInnerSpace(owner: ProcessIdentity): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false
    const status = ifAllowed(() => readFileSync(`/proc/${name}/status`, "utf8")) ?? ""
    const inner = /^NSpid:.*\t(\d+)$/m.exec(status)?.[1]
    const found = inner === String(owner.pid) ? readProc(Number(name)) : undefined
    return found !== undefined && !found.isZombie && isSameStart(owner, found)
  })
}
