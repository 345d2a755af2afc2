import { basename, dirname, join } from "node:path"
import type { AgentPlace } from "@treelog/agents/places"
import { matchingPaths, nodeFs } from "@treelog-internal/fs"
import { agentsOf, PROGRAMS, placeOf } from "../programs.js"
import type { Surroundings } from "../surroundings.js"
import { type PidFile, pidFileIn } from "./pid-file.js"
import { type Machine, type MachineProcess, type ProcessPlace, thisMachine } from "./processes.js"

const NONE: ReadonlySet<number> = new Set()

/** A process of an agent. */
export interface RunningProcess extends MachineProcess, Partial<ProcessPlace> {}

/** A session, as far as the process that has it can be found by that. */
export interface UsedSession {
  readonly agent: string
  /** The file of the session, or its key in a database. */
  readonly path: string
  readonly id: string
  readonly cwd: string
  /** When it was written to last. Milliseconds since 1970. */
  readonly modified: number
}

/**
 * A process that has a session, and how that is known. `"pid-file"`: a file of the agent says so. `"arguments"`: it was started with its id.
 * `"open-file"`: it has the file open. `"folder"`: it works in the folder of the session, which was written to since it was started: that may
 * have been another one.
 */
export interface SessionUse {
  readonly by: "pid-file" | "arguments" | "open-file" | "folder"
  readonly process: RunningProcess
  /** With `"pid-file"`: what the agent wrote. */
  readonly file?: PidFile
}

/** The agents that run on this machine, at one moment: what looks at many sessions asks for it once. */
export class RunningAgents {
  /** All processes; undefined where the system does not list them. */
  readonly processes: readonly MachineProcess[] | undefined
  readonly #surroundings: Surroundings
  readonly #machine: Machine
  readonly #ofAgents = new Map<string, Promise<readonly RunningProcess[] | undefined>>()
  readonly #pidFiles = new Map<string, Promise<readonly PidFile[]>>()

  private constructor(surroundings: Surroundings, machine: Machine, processes: readonly MachineProcess[] | undefined) {
    this.#surroundings = surroundings
    this.#machine = machine
    this.processes = processes
  }

  /** @param machine default: this one */
  static async now(surroundings: Surroundings, machine = thisMachine()): Promise<RunningAgents> {
    return new RunningAgents(surroundings, machine, await machine.processes())
  }

  /**
   * The processes of an agent that have the home folder of the surroundings, as far as the system says that. Undefined where that cannot be known: the
   * system does not list processes, or the agent is part of an editor.
   */
  of(agent: string): Promise<readonly RunningProcess[] | undefined> {
    const known = this.#ofAgents.get(agent) ?? this.#processesOf(agent)
    this.#ofAgents.set(agent, known)
    return known
  }

  /**
   * The process that has a session; undefined where none is found.
   * @param taken processes that have others: one that works in a folder has one session
   */
  async using(session: UsedSession, taken: ReadonlySet<number> = NONE): Promise<SessionUse | undefined> {
    const file = await this.pidFileOf(session)
    const named = file && this.processes?.find((one) => isWriter(one, file))
    if (file && named) return { by: "pid-file", process: named, file }
    const processes = (await this.of(session.agent)) ?? []
    const started = processes.find(({ args }) =>
      args.some((arg) => arg === session.id || arg.endsWith(`=${session.id}`)),
    )
    if (started) return { by: "arguments", process: started }
    const opened = processes.find(({ files = [] }) => files.includes(session.path))
    if (opened) return { by: "open-file", process: opened }
    const { pidFiles, keepsOpen } = this.placeOf(session.agent)
    if (pidFiles || (keepsOpen && processes.some(({ files }) => files !== undefined))) return undefined
    const worker = this.workersIn(session, processes).find(({ pid }) => !taken.has(pid))
    return worker && { by: "folder", process: worker }
  }

  /** How the processes of an agent show what they do. */
  placeOf(agent: string): Partial<AgentPlace> {
    return placeIn(this.#surroundings, agent) ?? {}
  }

  /** The processes that work in the folder of a session, and were there when it was written to; not those that another one started. */
  workersIn({ cwd, modified }: UsedSession, processes: readonly RunningProcess[]): RunningProcess[] {
    const pids = new Set(processes.map(({ pid }) => pid))
    return processes.filter((one) => !pids.has(one.parent) && one.cwd === cwd && one.started <= modified)
  }

  /** What the agent wrote of the process of a session, also of one that has ended; the newest. */
  async pidFileOf({ agent, path, id }: UsedSession): Promise<PidFile | undefined> {
    const files: PidFile[] = []
    for (const pattern of this.placeOf(agent).pidFiles ?? [])
      for (const file of await this.#pidFilesAt(join(dirname(path), pattern.replace("$ID", id))))
        if ((file.session ?? id) === id) files.push(file)
    return files.sort((a, b) => b.written - a.written)[0]
  }

  #pidFilesAt(pattern: string): Promise<readonly PidFile[]> {
    const known = this.#pidFiles.get(pattern) ?? pidFilesAt(pattern)
    this.#pidFiles.set(pattern, known)
    return known
  }

  /** The processes that a process started, and those that these did. */
  startedBy({ pid }: Pick<MachineProcess, "pid">): MachineProcess[] {
    const found: MachineProcess[] = []
    for (const parent of parents(pid, found))
      found.push(...(this.processes ?? []).filter((one) => one.parent === parent))
    return found
  }

  async #processesOf(agent: string): Promise<readonly RunningProcess[] | undefined> {
    const command = commandOf(this.#surroundings, agent)
    if (this.processes === undefined || command === undefined) return undefined
    const found = this.processes.filter(({ args }) => isCommand(args, command))
    const places = await this.#machine.places(found.map(({ pid }) => pid))
    const { HOME } = this.#surroundings.env
    return found
      .map((one) => ({ ...one, ...places.get(one.pid) }))
      .filter(({ home }) => home === undefined || HOME === undefined || home === HOME)
  }
}

/** The process that has a session: see `RunningAgents.using`. */
export async function isInUse(surroundings: Surroundings, session: UsedSession): Promise<SessionUse | undefined> {
  return (await RunningAgents.now(surroundings)).using(session)
}

/** The file was written by the process, and not by one that had its pid before. */
function isWriter({ pid, started }: MachineProcess, file: PidFile): boolean {
  return file.isSeen && pid === file.pid && started <= file.written + CLOCK_ERROR
}

/** Milliseconds. */
const CLOCK_ERROR = 2_000

/** A process, and then what was found of those that it started. */
function* parents(first: number, found: readonly MachineProcess[]): Generator<number> {
  yield first
  for (const { pid } of found) yield pid
}

async function pidFilesAt(pattern: string): Promise<PidFile[]> {
  const files: PidFile[] = []
  for await (const { path } of matchingPaths(nodeFs, dirname(pattern), basename(pattern)))
    files.push(...[pidFileIn(path)].filter((file) => file !== undefined))
  return files
}

function placeIn(surroundings: Surroundings, agent: string): AgentPlace | undefined {
  return agentsOf(surroundings).includes(agent) ? placeOf(surroundings, agent) : undefined
}

/** Undefined of an agent that is no program of its own. */
function commandOf(surroundings: Surroundings, agent: string): string | undefined {
  return placeIn(surroundings, agent)?.resume?.[0] ?? PROGRAMS.find((program) => program === agent)
}

const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*|bash|sh)$/

/** Whether a command line runs a command: itself, or as a script. */
function isCommand([program = "", ...args]: readonly string[], command: string): boolean {
  const name = nameOfProgram(program)
  if (name === command) return true
  const script = INTERPRETERS.test(name) ? args.find((arg) => !arg.startsWith("-")) : undefined
  return script !== undefined && nameOfProgram(script) === command
}

/** Of `/usr/bin/claude.exe`, `claude`. */
function nameOfProgram(path: string): string {
  return basename(path).replace(/\.(?:exe|[cm]?js|cmd|py)$/, "")
}
