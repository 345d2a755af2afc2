import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import type { AgentPlace } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

/** opencode as a server, with a local one as its model. */
export class Opencode {
  readonly #child: ChildProcess
  readonly #url: string
  readonly #model: ModelServer
  /** The messages of the last request for each session, by its id. */
  readonly sent = new Map<string, readonly Json[]>()
  /** How many answers its sessions have. */
  answers = 0

  private constructor(child: ChildProcess, url: string, model: ModelServer) {
    this.#child = child
    this.#url = url
    this.#model = model
  }

  static async start({ bin, home, project, env }: AgentPlace, model: ModelServer): Promise<Opencode> {
    const folder = join(home, ".config", "opencode")
    mkdirSync(folder, { recursive: true })
    const models = {
      "local-1": {
        name: "Local",
        attachment: true,
        modalities: { input: ["text", "image"], output: ["text"] },
        limit: { context: 100_000, output: 1_000 },
        cost: { input: 1, output: 1 },
      },
    }
    const local = { npm: "@ai-sdk/anthropic", options: { baseURL: `${model.url}/v1`, apiKey: "none" }, models }
    const chosen = { model: "local/local-1", small_model: "local/local-1", permission: { "*": "allow" } }
    writeFileSync(join(folder, "opencode.json"), JSON.stringify({ ...chosen, autoupdate: false, provider: { local } }))
    const quiet = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }
    const options = { cwd: project, env: { ...env, ...quiet }, stdio: ["ignore", "pipe", "pipe"] as const }
    const child = spawn(join(bin, "opencode"), ["serve", "--port", "0"], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    })
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /listening on (\S+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.on("close", (code) => reject(new Error(`opencode ended with ${code}`)))
    })
    return new Opencode(child, url, model)
  }

  /** @throws Error: opencode refused it */
  async post(path: string, body: Json = {}): Promise<Json> {
    const headers = { "content-type": "application/json" }
    const response = await fetch(this.#url + path, { method: "POST", headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }

  async session(): Promise<string> {
    return String((await this.post("/session")).id)
  }

  /** Prompts, waits for the answer, and notes what the model got. @returns the id of the prompt */
  async prompt(session: string, text: string, parts: readonly Json[] = []): Promise<string> {
    const before = this.#model.requests.length
    const { info } = await this.post(`/session/${session}/message`, { parts: [{ type: "text", text }, ...parts] })
    // The other requests are for titles, which have one message that begins otherwise.
    const own = this.#model.requests.slice(before).filter(({ tools }) => Array.isArray(tools) && tools.length > 0)
    this.answers += own.length
    const last = [...own]
      .reverse()
      .find(({ messages }) => JSON.stringify(messages).includes(JSON.stringify(text).slice(1, -1)))
    this.sent.set(session, (last?.messages ?? []) as Json[])
    return String((info as Json).parentID)
  }

  /** Prompts, and interrupts the call of a tool that the model answers with. What that answer used is not stored. */
  async interrupt(session: string, text: string): Promise<void> {
    const before = this.#model.requests.length
    const ended = this.post(`/session/${session}/message`, { parts: [{ type: "text", text }] })
    while (this.#model.requests.length === before) await setTimeout(100)
    // The tool needs a moment to start.
    await setTimeout(2_000)
    await this.post(`/session/${session}/abort`)
    await ended
  }

  end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.on("close", () => resolve()))
    this.#child.kill()
    return closed
  }
}
