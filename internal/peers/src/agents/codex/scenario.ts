import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Findings, Scenario } from "../frame/agent.js"
import { type AgentPlace, killAgent, runAgent } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"
import { AppServer } from "./app-server.js"
import { checkThreads, type Expected, PROVIDER } from "./check-threads.js"

/** Codex in a place, with a local server as its model. */
export class Codex {
  /** Where it asks the local model. */
  readonly place: AgentPlace
  readonly #model: ModelServer
  readonly folder: string
  readonly project: string

  /** @param settings lines of `config.toml` before its tables */
  constructor(place: AgentPlace, model: ModelServer, settings: string) {
    this.#model = model
    this.place = { ...place, env: { ...place.env, MODEL_KEY: "none" } }
    this.folder = join(place.home, ".codex")
    this.project = place.project
    mkdirSync(this.folder, { recursive: true })
    writeFileSync(join(this.folder, "config.toml"), configFor(model.url, place.project, settings))
  }

  /** Asks once, without a terminal. */
  ask(...args: readonly string[]): Promise<string> {
    return runAgent(this.place, "codex", ["exec", "--skip-git-repo-check", ...args])
  }

  /** Asks once, and kills it once the model was asked and a thread has a text. */
  kill(text: string, ...args: readonly string[]): Promise<void> {
    const { requests } = this.#model
    const before = requests.length
    const isReached = (): boolean =>
      requests.length > before && this.#rollouts().some((rollout) => rollout.includes(text))
    return killAgent(this.place, "codex", ["exec", "--skip-git-repo-check", ...args], isReached)
  }

  #rollouts(): string[] {
    const folder = join(this.folder, "sessions")
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    return names.map((name) => readFileSync(join(folder, name), "utf8"))
  }

  /** The id of the only thread. */
  thread(): string {
    const [first = ""] = this.#rollouts()
    return String(JSON.parse(first.slice(0, first.indexOf("\n"))).payload.id)
  }

  /** Waits until so many threads were stored, and no turn of any is going on: Codex does not report those of sub-agents. */
  async settled(threads = 0): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const texts = this.#rollouts()
      const isOver = (text: string): boolean => lastOf(text, ENDS) >= lastOf(text, STARTS)
      if (texts.length >= threads && texts.every(isOver)) return
      await setTimeout(WAIT)
    }
    throw new Error(`There are not ${threads} threads that have ended.`)
  }

  /** Runs the server of editors while a thread is driven. */
  async serving(drive: (server: AppServer, thread: string) => Promise<void>): Promise<void> {
    const server = new AppServer(this.place)
    try {
      await drive(server, await server.start(this.project))
      // A turn that a sub-agent began may still be going on.
      await this.settled()
    } finally {
      await server.close()
    }
  }
}

const STARTS = ['"type":"task_started"']
const ENDS = ['"type":"task_complete"', '"type":"turn_aborted"']
/** Milliseconds. */
const WAIT = 200
const TRIES = 150

function lastOf(text: string, marks: readonly string[]): number {
  return Math.max(...marks.map((mark) => text.lastIndexOf(mark)))
}

/**
 * A scenario that drives Codex, after which all its threads are read.
 * @param settings lines of `config.toml` before its tables
 */
export function scenario(
  name: string,
  expected: Expected,
  drive: (codex: Codex) => Promise<void>,
  settings: (place: AgentPlace) => string = () => "",
): Scenario {
  return {
    name,
    async run(place: AgentPlace, model: ModelServer): Promise<Findings> {
      const codex = new Codex(place, model, settings(place))
      await drive(codex)
      return checkThreads(codex.folder, model, expected)
    },
  }
}

function configFor(url: string, project: string, settings: string): string {
  return `model = "gpt-5"
model_provider = "${PROVIDER}"
${settings}
[model_providers.${PROVIDER}]
name = "${PROVIDER}"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
[projects."${project}"]
trust_level = "trusted"
`
}
