import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import type { AgentPlace } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import { fromChat } from "../model/chat-api.js"
import type { ModelServer } from "../model/model-server.js"

export type Program = "opencode" | "kilo"

const CHAT_MODEL = "chat-1"

/** What is asked beside the text. */
interface Asked {
  readonly files?: readonly Json[]
  /** `provider/model`: of `local`, `chat` or `responses`, by its API. */
  readonly model?: string
}

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

  /**
   * @param program opencode, or Kilo, which is made of it: the name of the command and of its folders
   * @param settings more of `opencode.json`
   */
  static async start(program: Program, place: AgentPlace, model: ModelServer, settings: Json = {}): Promise<Opencode> {
    settle(program, place, model, settings)
    const { bin, project, env } = place
    const prefix = program.toUpperCase()
    const quiet = { [`${prefix}_DISABLE_MODELS_FETCH`]: "1", [`${prefix}_DISABLE_AUTOUPDATE`]: "1" }
    const child = spawn(join(bin, program), ["serve", "--port", "0"], {
      ...{ cwd: project, env: { ...env, ...quiet } },
      stdio: ["ignore", "pipe", "pipe"],
      // The command may be a script that starts another process.
      detached: true,
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

  /** Prompts, and waits for the answer. @returns the id of the prompt */
  async prompt(session: string, text: string, { files = [], model }: Asked = {}): Promise<string> {
    const [providerID = "local", modelID = "local-1"] = model?.split("/") ?? []
    const parts = [{ type: "text", text }, ...files]
    return this.ask(session, "message", { parts, model: { providerID, modelID } }, text)
  }

  /** Asks for something that a model answers, and notes what it got. @param text in the request. @returns the id of the prompt */
  async ask(session: string, path: "message" | "command", body: Json, text: string): Promise<string> {
    const before = this.#model.requests.length
    const { info } = await this.post(`/session/${session}/${path}`, body)
    // The other requests are for titles, which have one message that begins otherwise.
    const own = this.#model.requests.slice(before).filter(({ tools }) => Array.isArray(tools) && tools.length > 0)
    this.answers += own.length
    const last = [...own]
      .reverse()
      .find(({ messages, input }) => JSON.stringify(messages ?? input).includes(JSON.stringify(text).slice(1, -1)))
    const messages = (last?.messages ?? []) as Json[]
    this.sent.set(session, (last?.model === CHAT_MODEL ? fromChat(messages) : messages).map(withoutDetails))
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

  /** Prompts, and kills opencode once something holds. */
  async killIn(session: string, text: string, holds: () => boolean): Promise<void> {
    const ended = this.post(`/session/${session}/message`, { parts: [{ type: "text", text }] }).catch(() => undefined)
    while (!holds()) await setTimeout(100)
    await this.end()
    await ended
  }

  /** Kills it with what it started: asked to end, it can wait for a server of tools that has ended. */
  end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.on("close", () => resolve()))
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined || exitCode !== null || signalCode !== null) return Promise.resolve()
    process.kill(-pid, "SIGKILL")
    return closed
  }
}

/** Writes the settings of a person who uses a local model. @param settings more of `opencode.json` */
export function settle(program: Program, { home }: AgentPlace, model: ModelServer, settings: Json = {}): void {
  const folder = join(home, ".config", program)
  mkdirSync(folder, { recursive: true })
  const one = {
    attachment: true,
    modalities: { input: ["text", "image"], output: ["text"] },
    limit: { context: 100_000, output: 1_000 },
    cost: { input: 1, output: 1 },
  }
  const providerOf = (npm: string, ...names: readonly string[]) => {
    const models = Object.fromEntries(names.map((name) => [name, { name, ...one }]))
    return { npm, options: { baseURL: `${model.url}/v1`, apiKey: "none" }, models }
  }
  const provider = {
    local: providerOf("@ai-sdk/anthropic", "local-1", "local-2"),
    chat: providerOf("@ai-sdk/openai-compatible", CHAT_MODEL),
    responses: providerOf("@ai-sdk/openai", "responses-1"),
  }
  const chosen = { model: "local/local-1", small_model: "local/local-1", permission: { "*": "allow" } }
  writeFileSync(
    join(folder, `${program}.json`),
    JSON.stringify({ ...chosen, autoupdate: false, provider, ...settings }),
  )
}

/** Kilo sends what it does not store behind each prompt: the time and the folder. */
function withoutDetails({ role, content }: Json): Json {
  return { role, content: blocksOf(content).filter(({ text }) => !/^\s*<environment_details>/.test(String(text))) }
}
