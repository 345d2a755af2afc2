import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import type { LiveState } from "@treelog/stores"
import type { Findings, Scenario } from "../frame/agent.js"
import type { AgentPlace } from "../frame/run-agent.js"
import { asked, COMMAND, documentsOf, killAllOf, type LiveAgent, quit, started } from "./live-agent.js"

type State = LiveState["state"]

/** How long a state may take to be seen. Milliseconds. */
const MOST = 2_000
/** After so long a state that is not seen is a fault. Milliseconds. */
const PATIENCE = 15_000

/** What `list --live` and `watch --live` say of a session while its agent answers, runs a call, asks, waits, ends and is killed. */
export function liveStates(agent: LiveAgent): Scenario {
  return {
    name: "live",
    async run(place, model): Promise<Findings> {
      const local = agent.prepare(place, model)
      const differences: string[] = []
      const watched = new WatchedStates(agent.store, place)
      const expect = async (what: string, state: State): Promise<void> => {
        const expected = agent.unknown?.includes(state) ? "unknown" : state
        const took = await watched.until(expected)
        const [listed] = await documentsOf<{ live: LiveState }>(
          place,
          "list",
          "--live",
          "--all",
          "--store",
          agent.store,
        )
        process.stdout.write(`    ${what}: ${expected} after ${took} ms\n`)
        if (!(took <= MOST)) differences.push(`${what}: not ${expected} within ${MOST} ms, but ${watched.history()}`)
        if (listed?.live.state !== expected) differences.push(`${what}: listed as ${JSON.stringify(listed?.live)}`)
      }
      try {
        const terminal = await started(agent, local)
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
          const { asks } = agent
          if (asks) {
            await terminal.shows(asks)
            await expect("a permission is asked for", "waits-for-permission")
            terminal.press("Enter")
            await terminal.until("ask no more", () => terminal.lines().join("\n").search(asks) === -1)
          }
          await expect("a command runs", "works")
          await terminal.shows(/I have the results/)
          await expect("the command has ended", "waits-for-prompt")
          await quit(agent, terminal)
          await agent.stop?.(local)
          await expect("it has ended", "done")
        } finally {
          await terminal.close()
        }
        const second = await started(agent, local)
        try {
          await asked(second, model, "STOP hang")
          await expect("an answer is half there", "works")
          await killAllOf(agent, place)
          await second.ended
          await expect("it is killed", "dead")
        } finally {
          await second.close()
        }
      } finally {
        watched.end()
        await killAllOf(agent, place)
      }
      return { differences, unknown: [] }
    },
  }
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
    const last = this.#changes.at(-1)
    return last?.state === state ? Math.max(0, last.at - start) : Date.now() - start
  }

  history(): string {
    return this.#changes.map(({ state }) => state).join(", ")
  }

  end(): void {
    this.#child.kill("SIGINT")
  }
}
