import { statSync } from "node:fs"
import type { SessionInfo } from "@treelog/session-core"
import { isTreelogError } from "@treelog/session-core"
import { ifAllowed } from "@treelog-internal/fs"
import { agentOf } from "../library/session-query.js"
import type { Source } from "../library/source.js"
import type { Surroundings } from "../surroundings.js"
import type { Machine, MachineProcess } from "./processes.js"
import { RunningAgents, type SessionUse, type UsedSession } from "./running-agents.js"
import { type TurnEnd, turnEnd } from "./turn-end.js"

/** What a session does. */
export const LIVE_STATES = ["works", "waits-for-permission", "waits-for-prompt", "done", "dead", "unknown"] as const

export interface LiveState {
  /**
   * `"done"`: its last turn is over, and no process has it. `"dead"`: its process ended within a turn. `"unknown"`: what can be seen does not say which
   * of the others it is.
   */
  readonly state: (typeof LIVE_STATES)[number]
  /** Since when. Milliseconds since 1970. */
  readonly since: number
  /** What shows it. */
  readonly by: readonly LiveEvidence[]
}

/** What shows the state of a session. */
export interface LiveEvidence {
  readonly what: SessionUse["by"] | "no-process" | "child-process" | "no-child-process" | "last-record" | "growth"
  /** In words. */
  readonly says: string
  readonly pid?: number
  /** A file that says it. An absolute path. */
  readonly path?: string
}

/** A session in a list, and where it is. */
type Listed = Pick<SessionInfo, "path" | "id" | "cwd" | "modified" | "agent" | "error"> & { readonly source: Source }

/** Milliseconds. A call that takes as long and has started nothing waits; a file that was written to since is being written. */
const [CALL_STARTS, IS_GROWING] = [1_000, 1_000]

const COMMANDS = /^(?:bash|shell|exec_command|local_shell|run_shell_command|run_command|execute|terminal|powershell)/i
const CHANGES = /edit|write|patch|replace|create/i

/** What the sessions of a machine do, at one moment. Ask for the newest first: a process of a folder is taken to have the newest. */
export class LiveSessions {
  readonly #running: RunningAgents
  readonly #now: number
  /** Processes that have a session. */
  readonly #taken = new Set<number>()

  private constructor(running: RunningAgents, now: number) {
    this.#running = running
    this.#now = now
  }

  /** @param now milliseconds since 1970 */
  static async at(now: number, surroundings: Surroundings, machine?: Machine): Promise<LiveSessions> {
    return new LiveSessions(await RunningAgents.now(surroundings, machine), now)
  }

  /**
   * Whether a session can do anything: it was written to since a time, or a process has it.
   * @param since milliseconds since 1970
   */
  async isCandidate(session: Listed, since: number): Promise<boolean> {
    if (session.error) return false
    if (session.modified >= since) return true
    const agent = agentOf(session, session.source)
    const { pidFiles } = this.#running.placeOf(agent)
    if (!pidFiles && !(await this.#running.of(agent))?.length) return false
    const use = await this.#running.using({ ...session, agent })
    return use !== undefined && use.by !== "folder"
  }

  async stateOf(session: Listed): Promise<LiveState> {
    const used = usedOf(session)
    const use = await this.#running.using(used, this.#taken)
    if (use) this.#taken.add(use.process.pid)
    const own = use && ownState(use)
    if (own) return own
    const { source, path } = session
    const { modified } = used
    try {
      const end = await turnEnd(source, path, this.#running.placeOf(used.agent))
      const at = Math.max(end.at, modified)
      return use ? this.#ofProcess(use, end, at, used) : await this.#withoutProcess(used, end, at)
    } catch (error) {
      if (!isTreelogError(error)) throw error
      return { state: "unknown", since: modified, by: [{ what: "last-record", says: error.message }] }
    }
  }

  #ofProcess(use: SessionUse, end: TurnEnd, at: number, { agent }: UsedSession): LiveState {
    const by = [evidenceOf(use)]
    const { notesCallsLate } = this.#running.placeOf(agent)
    const record = (says: string): LiveEvidence => ({ what: "last-record", says })
    // Another process made that record: this one has done nothing yet.
    if (use.process.started > at + CALL_STARTS)
      return {
        state: "waits-for-prompt",
        since: use.process.started,
        by: [...by, record("it was started since the last record")],
      }
    const child = this.#childSince(use.process, at - CALL_STARTS)
    if (end.is === "asking")
      return {
        state: "waits-for-permission",
        since: at,
        by: [...by, record(`a permission is asked for${ofTool(end)}`)],
      }
    if (end.is === "open") return { state: "works", since: at, by: [...by, record("the model is asked")] }
    if (end.is === "unknown")
      return { state: "waits-for-prompt", since: at, by: [...by, record("there are no messages")] }
    if (end.is === "over" && !notesCallsLate)
      return { state: "waits-for-prompt", since: at, by: [...by, record("the turn is over")] }
    if (end.is === "over") {
      if (child) return { state: "works", since: at, by: [...by, childEvidence(child)] }
      const says = `the model has answered: ${agent} notes its calls when they have ended, so it waits for a prompt or for a permission`
      return { state: "unknown", since: at, by: [...by, record(says)] }
    }
    by.push(record(`the call${ofTool(end)} has no result`))
    if (child) return { state: "works", since: at, by: [...by, childEvidence(child)] }
    const { tool = "" } = end
    if (Math.abs(this.#now - at) < CALL_STARTS) return { state: "works", since: at, by }
    if (!COMMANDS.test(tool) && !CHANGES.test(tool)) return { state: "unknown", since: at, by }
    const nothing = {
      what: "no-child-process",
      says: "its process has started nothing since",
      pid: use.process.pid,
    } as const
    return { state: "waits-for-permission", since: at, by: [...by, nothing] }
  }

  async #withoutProcess(used: UsedSession, end: TurnEnd, at: number): Promise<LiveState> {
    const file = await this.#running.pidFileOf(used)
    const running = await this.#running.of(used.agent)
    const isGrowing = Math.abs(this.#now - at) < IS_GROWING
    const isLate = end.is === "over" && this.#running.placeOf(used.agent).notesCallsLate
    const late = `; ${used.agent} notes a call when it has ended, so one may have run`
    const record: LiveEvidence = { what: "last-record", says: TURN_TEXTS[end.is] + (isLate ? late : "") }
    if (end.is !== "over" && end.is !== "unknown" && isGrowing)
      return {
        state: "works",
        since: at,
        by: [{ what: "growth", says: "it was written to within a second" }, record],
      }
    const unknown = (says: string): LiveState => ({
      state: "unknown",
      since: at,
      by: [{ what: "no-process", says }, record],
    })
    if (file && !file.isSeen) return unknown(`${file.path} names a process of another machine or container`)
    if (!file && running === undefined) return unknown("the processes of the agent cannot be seen")
    const other = file ? undefined : this.#running.workersIn(used, running ?? [])[0]
    if (other && end.is !== "over" && end.is !== "unknown")
      return unknown(`process ${other.pid} works in its folder, and may have it`)
    const says = file ? `process ${file.pid}, which had it, has ended` : "no process has it"
    const none: LiveEvidence = { what: "no-process", says, ...(file && { pid: file.pid, path: file.path }) }
    return { state: end.is === "over" || end.is === "unknown" ? "done" : "dead", since: at, by: [none, record] }
  }

  /** A process that another one started after a time: not a server of tools that it has had before. */
  #childSince(process: MachineProcess, since: number): MachineProcess | undefined {
    return this.#running.startedBy(process).find(({ started }) => started >= since)
  }
}

const TURN_TEXTS: Readonly<Record<TurnEnd["is"], string>> = {
  over: "the turn is over",
  open: "the model was asked, and has not answered",
  calling: "a call has no result",
  asking: "a permission was asked for",
  unknown: "there are no messages",
}

/** What the agent itself says that it does, as Claude Code. Undefined of one that says nothing, or what is not known. */
function ownState(use: SessionUse): LiveState | undefined {
  const { status, waitingFor, since, written } = use.file ?? { written: 0 }
  const isAsked = /permission|approv/i.test(waitingFor ?? "")
  const states: Readonly<Record<string, LiveState["state"]>> = {
    busy: "works",
    shell: "works",
    idle: "waits-for-prompt",
    waiting: isAsked ? "waits-for-permission" : "waits-for-prompt",
  }
  const state = status === undefined ? undefined : states[status]
  return state && { state, since: since ?? written, by: [evidenceOf(use)] }
}

function evidenceOf({ by, process: { pid }, file }: SessionUse): LiveEvidence {
  if (file) {
    const said = [file.status, file.waitingFor].filter((part) => part !== undefined).join(": ")
    return { what: by, says: `process ${pid} has it${said && `, and says ${said}`}`, pid, path: file.path }
  }
  const says = {
    "pid-file": `process ${pid} has it`,
    arguments: `process ${pid} was started with its id`,
    "open-file": `process ${pid} has its file open`,
    folder: `process ${pid} works in its folder, and it is the newest there`,
  }
  return { what: by, says: says[by], pid }
}

function childEvidence({ pid, args }: MachineProcess): LiveEvidence {
  return { what: "child-process", says: `${args.join(" ").slice(0, 80)} runs`, pid }
}

function ofTool({ tool }: TurnEnd): string {
  return tool === undefined ? "" : ` of ${tool}`
}

function usedOf({ source, path, id, cwd, modified, ...info }: Listed): UsedSession {
  return { agent: agentOf(info, source), path, id, cwd, modified: Math.max(modified, writtenAt(path)) }
}

/** 0 of what is no file. Milliseconds since 1970. */
function writtenAt(path: string): number {
  return ifAllowed(() => statSync(path).mtimeMs) ?? 0
}
