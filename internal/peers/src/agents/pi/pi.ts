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
  maxTokens: 1_000,
  input: ["text", "image"],
  reasoning: true,
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
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

  constructor({ bin, home, project, env }: AgentPlace, model: ModelServer) {
    this.folder = join(home, ".pi", "agent")
    this.#model = model
    mkdirSync(this.folder, { recursive: true })
    const local = { baseUrl: model.url, api: "anthropic-messages", apiKey: "none", models: [MODEL] }
    writeFileSync(join(this.folder, "models.json"), JSON.stringify({ providers: { local } }))
    writeFileSync(join(this.folder, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 20 } }))
    const args = ["--mode", "rpc", "--provider", "local", "--model", MODEL.id]
    const child = spawn(join(bin, "pi"), args, { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] })
    this.#child = child
    child.stderr.on("data", (text) => {
      this.#errors += text
    })
    createInterface({ input: child.stdout }).on("line", (text) => this.#read(JSON.parse(text)))
    child.on("close", (code) => {
      for (const { reject } of this.#waiting) reject(new Error(`pi ended with ${code}: ${this.#errors.slice(-2_000)}`))
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
    this.sent.set(String(sessionId), this.#model.requests.at(-1) ?? {})
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
