import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { AgentPlace } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

const MODEL = {
  id: "local-1",
  name: "local",
  contextWindow: 100_000,
  maxTokens: 10_000,
  input: ["text", "image"],
  reasoning: true,
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
}

/** pi, or oh-my-pi, which is made of it. */
export type Program = "pi" | "omp"

/** The files of its models and settings. What is YAML may be JSON. */
const FILES = { pi: ["models.json", "settings.json"], omp: ["models.yml", "config.yml"] } as const

/** What is asked for in a session is done there: sub-agents do not work beside it. */
const SETTINGS = { compaction: { keepRecentTokens: 20 }, async: { enabled: false } }

export const LOCAL = ["--provider", "local", "--model", MODEL.id]

/** Writes the settings of a person who uses a local model. @returns their folder */
export function settle(program: Program, home: string, { url }: ModelServer): string {
  const folder = join(home, `.${program}`, "agent")
  mkdirSync(folder, { recursive: true })
  const local = { baseUrl: url, api: "anthropic-messages", apiKey: "none", models: [MODEL] }
  const [models, settings] = FILES[program]
  writeFileSync(join(folder, models), JSON.stringify({ providers: { local } }))
  writeFileSync(join(folder, settings), JSON.stringify(SETTINGS))
  return folder
}

/** pi in its RPC mode, with a local server as its model. */
export class Pi {
  readonly #child: ChildProcess
  readonly #model: ModelServer
  readonly #waiting = new Set<{
    isIt: (line: Json) => boolean
    resolve: (line: Json) => void
    reject: (error: Error) => void
  }>()
  #errors = ""
  #count = 0
  /** Its folder in the home. */
  readonly folder: string
  /** The last request for each session, by its id. */
  readonly sent = new Map<string, Json>()

  constructor(
    readonly program: Program,
    { bin, home, project, env }: AgentPlace,
    model: ModelServer,
  ) {
    this.folder = settle(program, home, model)
    this.#model = model
    const child = spawn(join(bin, program), ["--mode", "rpc", ...LOCAL], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "pipe"],
    })
    this.#child = child
    child.stderr.on("data", (text) => {
      this.#errors += text
    })
    createInterface({ input: child.stdout }).on("line", (text) => this.#read(JSON.parse(text)))
    child.on("close", (code) => {
      for (const { reject } of this.#waiting)
        reject(new Error(`${program} ended with ${code}: ${this.#errors.slice(-2_000)}`))
    })
  }

  /** @throws Error: pi refused it, or has ended */
  async request(type: string, fields: Json = {}): Promise<Json> {
    const id = `${++this.#count}`
    const answered = this.#next((line) => line.type === "response" && line.id === id)
    this.#child.stdin?.write(`${JSON.stringify({ id, type, ...fields })}\n`)
    const { success, error, data } = await answered
    if (success === false) throw new Error(`${type}: ${String(error)}`)
    return (data ?? {}) as Json
  }

  /** Prompts, waits until pi has ended its work, and notes what the model got. */
  async prompt(message: string, fields: Json = {}): Promise<void> {
    const ended = this.#next(({ type }) => type === "agent_end")
    await Promise.all([ended, this.request("prompt", { message, ...fields })])
    const { sessionId } = await this.request("get_state")
    // The other requests are those of sub-agents.
    const text = JSON.stringify(message)
    const own = this.#model.requests.filter(({ messages }) => JSON.stringify(messages).includes(text)).at(-1)
    this.sent.set(String(sessionId), own ?? {})
  }

  /** Prompts, and makes a request, such as `abort`, while the tool works that the answer calls. */
  async atWork(message: string, type: string, fields: Json = {}): Promise<void> {
    const [starts, ends] = ["tool_execution_start", "agent_end"].map((event) =>
      this.#next((line) => line.type === event),
    )
    await Promise.all([starts, this.request("prompt", { message })])
    await Promise.all([ends, this.request(type, fields)])
  }

  /** Lets it end by itself. */
  end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.on("close", () => resolve()))
    this.#child.stdin?.end()
    return closed
  }

  #read(line: Json): void {
    for (const one of [...this.#waiting]) {
      if (!one.isIt(line)) continue
      this.#waiting.delete(one)
      one.resolve(line)
    }
  }

  #next(isIt: (line: Json) => boolean): Promise<Json> {
    return new Promise((resolve, reject) => this.#waiting.add({ isIt, resolve, reject }))
  }
}
