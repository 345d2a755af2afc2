import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import type { AgentPlace } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

export type Program = "opencode" | "kilo"

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

  /** @param program opencode, or Kilo, which is made of it: the name of the command and of its folders */
  static async start(program: Program, { bin, home, project, env }: AgentPlace, model: ModelServer): Promise<Opencode> {
    const folder = join(home, ".config", program)
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
    writeFileSync(
      join(folder, `${program}.json`),
      JSON.stringify({ ...chosen, autoupdate: false, provider: { local } }),
    )
    const prefix = program.toUpperCase()
    const quiet = { [`${prefix}_DISABLE_MODELS_FETCH`]: "1", [`${prefix}_DISABLE_AUTOUPDATE`]: "1" }
    const child = spawn(join(bin, program), ["serve", "--port", "0"], {
      ...{ cwd: project, env: { ...env, ...quiet } },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /listening on (\S+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.on("close", (code) => reject(new Error(`${program} ended with ${code}`)))
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
    this.sent.set(session, ((last?.messages ?? []) as Json[]).map(withoutDetails))
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

/** Kilo sends what it does not store behind each prompt: the time and the folder. */
function withoutDetails({ role, content }: Json): Json {
  return { role, content: blocksOf(content).filter(({ text }) => !/^\s*<environment_details>/.test(String(text))) }
}
