import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { promisify } from "node:util"
import { errnoOf, ifAllowed } from "@treelog-internal/fs"

/** A process of this machine, as it was when it was looked at. */
export interface MachineProcess {
  readonly pid: number
  readonly parent: number
  /** Its command line. A program may have written another one there. */
  readonly args: readonly string[]
  /** Milliseconds since 1970; on Linux and macOS off by less than a second. */
  readonly started: number
}

/** Where a process works. What the system does not say is undefined. */
export interface ProcessPlace {
  /** An absolute path. */
  readonly cwd?: string
  /** Its home folder, by its variables. */
  readonly home?: string
  /** The files that it has open. Absolute paths. */
  readonly files: readonly string[]
}

/** Units of the times in `/proc`: the constant USER_HZ of Linux. */
const TICKS_PER_SECOND = 100

/** What is asked of a machine. */
export interface Machine {
  /** The processes that this one can see; undefined where the system does not list them, as Windows. */
  processes(): Promise<readonly MachineProcess[] | undefined>
  /** Where processes work, by their pids. Of a process that has ended, or belongs to another user, there is none. */
  places(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessPlace>>
}

/** @returns the machine that this process runs on */
export function thisMachine(): Machine {
  if (process.platform === "linux") return LINUX
  return process.platform === "win32"
    ? { processes: async () => undefined, places: async () => new Map() }
    : machineByPs()
}

const LINUX: Machine = {
  processes: async () => linuxProcesses(),
  places: async (pids) => new Map(pids.map(placeOnLinux).filter((place) => place !== undefined)),
}

/** A machine with `ps` and `lsof`, as macOS has them. @param run gives what a program prints; undefined where there is no such program */
export function machineByPs(run = outputOf): Machine {
  return {
    async processes() {
      const text = await run("ps", ["-axo", "pid=,ppid=,lstart=,args="])
      return text === undefined ? undefined : processesIn(text)
    },
    async places(pids) {
      const text = pids.length === 0 ? undefined : await run("lsof", ["-p", pids.join(","), "-Ffn"])
      return text === undefined ? new Map() : placesIn(text)
    },
  }
}

/** What `ps` prints of processes: pid, parent, the time of the start, the command line. */
function processesIn(text: string): MachineProcess[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/gm)].map(
    ([, pid, parent, started = "", args = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      args: args.split(" "),
      started: Date.parse(`${started} UTC`),
    }),
  )
}

/** What `lsof -Ffn` prints: a line for each process, and two for each of its files. */
function placesIn(text: string): Map<number, ProcessPlace> {
  const places = new Map<number, { cwd?: string; files: string[] }>()
  let place: { cwd?: string; files: string[] } = { files: [] }
  let kind = ""
  for (const line of text.split("\n")) {
    const value = line.slice(1)
    if (line.startsWith("p")) {
      place = { files: [] }
      places.set(Number(value), place)
    } else if (line.startsWith("f")) kind = value
    else if (line.startsWith("n/") && kind === "cwd") place.cwd = value
    else if (line.startsWith("n/") && /^\d/.test(kind)) place.files.push(value)
  }
  return places
}

function linuxProcesses(): MachineProcess[] | undefined {
  const uptime = ifAllowed(() => readFileSync("/proc/uptime", "utf8"))
  const names = ifAllowed(() => readdirSync("/proc"))
  if (uptime === undefined || names === undefined) return undefined
  const booted = Date.now() - Number.parseFloat(uptime) * 1000
  return names.flatMap((name) => (/^\d+$/.test(name) ? (linuxProcess(name, booted) ?? []) : []))
}

/** @param booted milliseconds since 1970 */
function linuxProcess(name: string, booted: number): MachineProcess | undefined {
  const stat = ifAllowed(() => readFileSync(`/proc/${name}/stat`, "utf8"))
  const line = ifAllowed(() => readFileSync(`/proc/${name}/cmdline`, "utf8"))
  // A zombie and a thread of the kernel have no command line.
  if (stat === undefined || !line) return undefined
  // The second field, the program's name in parentheses, may hold anything.
  const [, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const started = booted + (Number(fields[17]) / TICKS_PER_SECOND) * 1000
  const args = line.replace(/\0+$/, "").split("\0")
  return { pid: Number(name), parent: Number(parent), args, started }
}

function placeOnLinux(pid: number): [number, ProcessPlace] | undefined {
  const cwd = ifAllowed(() => readlinkSync(`/proc/${pid}/cwd`))
  const environment = ifAllowed(() => readFileSync(`/proc/${pid}/environ`, "utf8"))
  const home = environment?.split("\0").find((one) => one.startsWith("HOME="))
  if (cwd === undefined && environment === undefined) return undefined
  const names = ifAllowed(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  const files = names.flatMap((name) => ifAllowed(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? [])
  return [
    pid,
    {
      ...(cwd !== undefined && { cwd }),
      ...(home !== undefined && { home: home.slice("HOME=".length) }),
      files: files.filter((file) => file.startsWith("/") && !file.startsWith("/dev/")),
    },
  ]
}

/** Undefined where the system has no such program, or it refuses. */
async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" }
  try {
    const { execFile } = process.getBuiltinModule("node:child_process")
    const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    // lsof ends with 1 where one of many files cannot be read, and has printed the others.
    const { stdout, code } = error as { stdout?: string; code?: unknown }
    if (stdout) return stdout
    if (errnoOf(error) === undefined && typeof code !== "number") throw error
    return undefined
  }
}
