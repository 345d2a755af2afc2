import { utimesSync } from "node:fs"
import { join } from "node:path"
import { listLive, type Machine, type MachineProcess, openLibrary, type ProcessPlace } from "@treelog/stores"
import { expect, test } from "vitest"
import { AGENT_TURNS, type AgentTurn, AT, CWD, ID, type Moment } from "./agent-turns.js"
import { temporaryBox } from "./box.js"

const { claude, codex, copilot, qwen, gemini, pi } = AGENT_TURNS
const PID = 512
/** Long after the last record: nothing is being written. */
const NOW = AT + 60_000

test.each([codex, copilot, qwen, pi])("a session of $agent that a process has works, or waits", async (turn) => {
  const at = async (moment: Moment, ...more: readonly MachineProcess[]) =>
    (await live(turn, moment, { processes: [agentOf(turn), ...more] })).state
  expect(await at("asked")).toBe("works")
  expect(await at("called", childAt(AT + 1_000))).toBe("works")
  expect(await at("called")).toBe("waits-for-permission")
  // A server of tools that it has had before is no call that runs.
  expect(await at("called", childAt(AT - 10_000))).toBe("waits-for-permission")
  expect(await at("over")).toBe("waits-for-prompt")
})

test.each(Object.values(AGENT_TURNS))("a session of $agent without a process is done, or dead", async (turn) => {
  const at = async (moment: Moment) => (await live(turn, moment, { processes: [] })).state
  expect(await at("over")).toBe("done")
  expect(await at("asked")).toBe("dead")
  if (turn !== gemini) expect(await at("called")).toBe("dead")
})

test("what Claude Code says of itself is its state, since when it says", async () => {
  const at = async (status: object) => {
    const { state, since } = await live(claude, "called", { processes: [agentOf(claude)], claudeSays: status })
    return [state, since]
  }
  expect(await at({ status: "busy" })).toEqual(["works", AT + 5_000])
  expect(await at({ status: "idle" })).toEqual(["waits-for-prompt", AT + 5_000])
  expect(await at({ status: "waiting", waitingFor: "permission prompt" })).toEqual(["waits-for-permission", AT + 5_000])
  expect(await at({ status: "waiting", waitingFor: "input needed" })).toEqual(["waits-for-prompt", AT + 5_000])
})

test("a process of Claude Code that was killed leaves its file, and its session is dead", async () => {
  const { state, by } = await live(claude, "called", { processes: [], claudeSays: { status: "busy" } })
  expect(state).toBe("dead")
  expect(by[0]).toMatchObject({ what: "no-process", says: `process ${PID}, which had it, has ended`, pid: PID })
})

test("a request for a permission that Copilot noted is waited for, whatever runs beside", async () => {
  const { state, by } = await live(copilot, "asking", { processes: [agentOf(copilot), childAt(AT + 1_000)] })
  expect(state).toBe("waits-for-permission")
  expect(by.map(({ what }) => what)).toEqual(["pid-file", "last-record"])
})

test("Gemini CLI notes calls when they have ended: whether it waits for a prompt or a permission is not known", async () => {
  expect((await live(gemini, "over", { processes: [agentOf(gemini)] })).state).toBe("unknown")
  expect((await live(gemini, "over", { processes: [agentOf(gemini), childAt(AT + 1_000)] })).state).toBe("works")
  expect((await live(gemini, "asked", { processes: [agentOf(gemini)] })).state).toBe("works")
})

test("a state is not known where processes are not listed, or are of another machine", async () => {
  expect((await live(pi, "over", { processes: undefined })).state).toBe("unknown")
  expect((await live(pi, "asked", { processes: undefined })).state).toBe("unknown")
  const claudeSays = { status: "busy", hostname: "another.invalid" }
  expect((await live(claude, "called", { processes: [], claudeSays })).state).toBe("unknown")
})

test("a file that was written to within a second is being written, also where no process is seen", async () => {
  const { state, by } = await live(pi, "asked", { processes: [], now: AT + 900 })
  expect(state).toBe("works")
  expect(by[0]?.what).toBe("growth")
})

test("a process works on the newest session of its folder that was written to since it was started", async () => {
  expect((await live(pi, "over", { processes: [{ ...agentOf(pi), started: AT + 1_000 }] })).state).toBe("done")
  expect((await live(pi, "over", { processes: [agentOf(pi)], cwd: "/another" })).state).toBe("done")
})

test("a process that was started since the last record waits for a prompt, whatever another left open", async () => {
  const resumed = { ...agentOf(codex), started: AT + 10_000 }
  expect(await live(codex, "called", { processes: [resumed] })).toMatchObject({
    state: "waits-for-prompt",
    since: AT + 10_000,
  })
})

test("lists what was written to lately, and else only what a process has", async () => {
  const at = async (processes: readonly MachineProcess[]) =>
    (await listed(codex, "over", { processes, now: AT + 48 * 3_600_000 })).map(({ live }) => live.state)
  expect(await at([])).toEqual([])
  expect(await at([agentOf(codex)])).toEqual(["waits-for-prompt"])
})

interface Around {
  /** Undefined where the machine does not list them. */
  readonly processes: readonly MachineProcess[] | undefined
  readonly claudeSays?: object
  readonly now?: number
  /** Where the process works. */
  readonly cwd?: string
}

async function live(turn: AgentTurn, moment: Moment, around: Around) {
  const [session] = await listed(turn, moment, around)
  if (!session) throw new Error("The session is not listed.")
  return session.live
}

async function listed(turn: AgentTurn, moment: Moment, { processes, claudeSays, now = NOW, cwd = CWD }: Around) {
  const box = temporaryBox()
  const path = box.write(
    turn.file,
    turn
      .lines(moment)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  )
  utimesSync(path, AT / 1_000, AT / 1_000)
  // What its process writes of itself.
  const own = { pid: PID, sessionId: ID, statusUpdatedAt: AT + 5_000, ...claudeSays }
  if (claudeSays) box.write(`.claude/sessions/${PID}.json`, JSON.stringify(own))
  if (turn === copilot) box.write(join(turn.file, "..", `inuse.${PID}.lock`), String(PID))
  if (turn === qwen)
    box.write(turn.file.replace(/jsonl$/, "runtime.json"), JSON.stringify({ pid: PID, session_id: ID }))
  const machine: Machine = {
    processes: async () => processes,
    places: async () => new Map<number, ProcessPlace>([[PID, { cwd, files: turn === codex ? [path] : [] }]]),
  }
  const surroundings = { env: { HOME: box.folder, TREELOG_CACHE_DIR: join(box.folder, "cache") }, cwd: box.folder }
  const library = await openLibrary({ ...surroundings, stores: [turn.agent] })
  const sessions = []
  for await (const session of listLive(library, {}, { surroundings, now, machine })) sessions.push(session)
  return sessions
}

function agentOf({ command }: AgentTurn): MachineProcess {
  return { pid: PID, parent: 1, args: [`/usr/bin/${command}`], started: AT - 60_000 }
}

function childAt(started: number): MachineProcess {
  return { pid: PID + 1, parent: PID, args: ["sleep", "20"], started }
}
