import { type ChildProcess, execFile, spawn } from "node:child_process"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { type LiveState, runningProcesses } from "@treelog/stores"
import type { Findings, Scenario } from "../frame/agent.js"
import type { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, killAll } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"

type State = LiveState["state"]

/** An agent that is asked in a terminal, where it asks for permissions. */
export interface LiveAgent {
  /** As `--store` takes it. */
  readonly store: string
  /** Starts it, and waits until it takes a prompt. */
  start(place: AgentPlace, model: ModelServer): Promise<AgentInTerminal>
  /** A prompt that makes the model call a command of some seconds. */
  readonly command: string
  /** What the screen shows where a permission is asked for, and what is pressed to give it. Undefined of an agent that asks for none. */
  readonly asks?: RegExp
  allow?(terminal: AgentInTerminal): void
  /** The command that ends it. */
  readonly quit: string
  /** Ends the process behind it that has its sessions, where there is one. */
  stop?(place: AgentPlace): Promise<unknown>
  /** States that its files do not tell, with the reason, which the manual has. */
  readonly unknown?: readonly State[]
}

/** How long a state may take to be seen. Milliseconds. */
const MOST = 2_000
/** After so long a state that is not seen is a fault. Milliseconds. */
const PATIENCE = 15_000
/** Built before the scenarios run. */
const COMMAND = resolve("packages/cli/dist/main.js")

/** What `list --live` and `watch --live` say of a session while its agent answers, runs a call, asks, waits, ends and is killed. */
export function liveStates(agent: LiveAgent): Scenario {
  return {
    name: "live",
    async run(place, model): Promise<Findings> {
      const differences: string[] = []
      const watched = new WatchedStates(agent.store, place)
      const expect = async (what: string, state: State): Promise<void> => {
        const expected = agent.unknown?.includes(state) ? "unknown" : state
        const took = await watched.until(expected)
        const listed = await listedState(agent.store, place)
        process.stdout.write(`    ${what}: ${expected} after ${took} ms\n`)
        if (!(took <= MOST)) differences.push(`${what}: not ${expected} within ${MOST} ms, but ${watched.history()}`)
        if (listed?.state !== expected) differences.push(`${what}: listed as ${JSON.stringify(listed)}`)
      }
      try {
        let terminal = await agent.start(place, model)
        try {
          let answer = (): void => {}
          model.held = new Promise((resolve) => {
            answer = resolve
          })
          await asked(terminal, model, "Hello")
          await expect("the model answers slowly", "works")
          answer()
          await terminal.shows(/Answer \d/)
          await expect("the answer is there", "waits-for-prompt")
          await asked(terminal, model, agent.command)
          if (agent.asks) {
            await terminal.shows(agent.asks)
            await expect("a permission is asked for", "waits-for-permission")
            agent.allow?.(terminal)
            const { asks } = agent
            await terminal.until("ask no more", () => terminal.lines().join("\n").search(asks) === -1)
          }
          await expect("a command runs", "works")
          await terminal.shows(/I have the results/)
          await expect("the command has ended", "waits-for-prompt")
          let isOver = false
          const ended = terminal.ended.then(() => {
            isOver = true
          })
          await terminal.enter(agent.quit, "end", () => isOver)
          await ended
          await agent.stop?.(place)
          await expect("it has ended", "done")
        } finally {
          await terminal.close()
        }
        terminal = await agent.start(place, model)
        try {
          await asked(terminal, model, "STOP hang")
          await expect("an answer is half there", "works")
          for (const { pid } of await processesOf(agent.store, place)) killAll(pid)
          await terminal.ended
          await expect("it is killed", "dead")
        } finally {
          await terminal.close()
        }
      } finally {
        watched.end()
        for (const { pid } of await processesOf(agent.store, place)) killAll(pid)
      }
      return { differences, unknown: [] }
    },
  }
}

async function processesOf(store: string, { home, project }: AgentPlace) {
  return (await runningProcesses({ env: { HOME: home }, cwd: project }, store)) ?? []
}

/** Types a prompt, and waits until the model is asked. */
async function asked(terminal: AgentInTerminal, { requests }: ModelServer, prompt: string): Promise<void> {
  const before = requests.length
  await terminal.enter(prompt, `ask ${prompt}`, () => requests.length > before)
}

/** What `treelog watch --live` prints of the sessions of an agent. */
class WatchedStates {
  readonly #child: ChildProcess
  readonly #changes: { readonly at: number; readonly state: State }[] = []

  constructor(store: string, { home, env }: AgentPlace) {
    const args = [COMMAND, "watch", "--live", "--all", "--json", "--store", store]
    const child = spawn(process.execPath, args, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] })
    createInterface({ input: child.stdout }).on("line", (line) => {
      this.#changes.push({ at: Date.now(), state: JSON.parse(line).live.state })
    })
    this.#child = child
  }

  /** Waits until the last change is one to a state. @returns how long that took, at most `PATIENCE`. Milliseconds */
  async until(state: State): Promise<number> {
    const start = Date.now()
    while (this.#changes.at(-1)?.state !== state && Date.now() - start < PATIENCE) await setTimeout(20)
    return Math.max(0, (this.#changes.at(-1)?.state === state ? (this.#changes.at(-1)?.at ?? 0) : Date.now()) - start)
  }

  history(): string {
    return this.#changes.map(({ state }) => state).join(", ")
  }

  end(): void {
    this.#child.kill("SIGINT")
  }
}

/** What `treelog list --live` says of the session that was written to last. */
async function listedState(store: string, { home, env }: AgentPlace): Promise<LiveState | undefined> {
  const args = [COMMAND, "list", "--live", "--all", "--json", "--store", store]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: home, env: { ...env } })
  return JSON.parse(stdout.split("\n")[0] || "{}").live
}
