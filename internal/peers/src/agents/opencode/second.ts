import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openAgent } from "@treelog/agents"
import { loadDriver } from "@treelog/index-sqlite"
import { freePort } from "@treelog-internal/test-kit/postgres/server"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { type AgentPlace, runAgent } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { call } from "../model/prompt-calls.js"

/** The command of the preview of opencode 2. */
export const PROGRAM = "lildax"

const MODEL = { providerID: "anthropic", id: "claude-sonnet-4-5" }

/** The preview as a server, with a local one as its model. It has no sub-agents, forks and compactions yet. */
class SecondOpencode {
  readonly sent = new Map<string, readonly Json[]>()
  /** How many answers its sessions have. */
  answers = 0
  readonly #child: ChildProcess
  readonly #place: AgentPlace
  readonly #model: ModelServer
  readonly #url: string
  readonly #authorization: string

  private constructor(child: ChildProcess, place: AgentPlace, model: ModelServer, url: string, password: string) {
    this.#child = child
    this.#place = place
    this.#model = model
    this.#url = url
    this.#authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`
  }

  static async start(place: AgentPlace, model: ModelServer): Promise<SecondOpencode> {
    const folder = join(place.home, ".config", "opencode")
    mkdirSync(folder, { recursive: true })
    const anthropic = { api: { type: "aisdk", package: "@ai-sdk/anthropic", url: `${model.url}/v1` } }
    const permissions = [{ action: "*", resource: "*", effect: "allow" }]
    writeFileSync(join(folder, "opencode.json"), JSON.stringify({ permissions, providers: { anthropic } }))
    const env = { ...place.env, ANTHROPIC_API_KEY: "none", OPENCODE_DISABLE_MODELS_FETCH: "1" }
    const password = (await runAgent({ ...place, env }, PROGRAM, ["service", "password"])).trim()
    const port = await freePort()
    const args = ["serve", "--port", String(port)]
    const child = spawn(join(place.bin, PROGRAM), args, { cwd: place.project, env, stdio: "ignore" })
    const opencode = new SecondOpencode(child, place, model, `http://127.0.0.1:${port}/api`, password)
    await opencode.#until(() => opencode.#isReady())
    return opencode
  }

  async request(method: "GET" | "POST", path: string, body?: Json): Promise<Json> {
    const headers = { authorization: this.#authorization, "content-type": "application/json" }
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`)
    return text === "" ? {} : (JSON.parse(text) as { data: Json }).data
  }

  async session(): Promise<string> {
    const { id } = await this.request("POST", "/session", {
      model: MODEL,
      location: { directory: this.#place.project },
    })
    return String(id)
  }

  /** Prompts, waits for the answer, and notes what the model got. @returns the id of the prompt */
  async prompt(session: string, text: string, files?: readonly Json[]): Promise<string> {
    const before = this.#model.requests.length
    const { id } = await this.request("POST", `/session/${session}/prompt`, {
      prompt: { text, ...(files && { files }) },
    })
    await this.#until(async () => this.#model.requests.length > before && !(await this.#isActive(session)))
    this.answers += this.#model.requests.length - before
    this.sent.set(session, (this.#model.requests.at(-1)?.messages ?? []) as Json[])
    return String(id)
  }

  /** Prompts, and interrupts the call of a tool that the model answers with. */
  async interrupt(session: string, text: string): Promise<void> {
    const before = this.#model.requests.length
    await this.request("POST", `/session/${session}/prompt`, { prompt: { text } })
    await this.#until(async () => this.#model.requests.length > before)
    // The tool needs a moment to start.
    await setTimeout(2_000)
    await this.request("POST", `/session/${session}/interrupt`)
    await this.#until(async () => !(await this.#isActive(session)))
    this.answers += 1
  }

  end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.on("close", () => resolve()))
    this.#child.kill()
    return closed
  }

  async #isActive(session: string): Promise<boolean> {
    return session in (await this.request("GET", "/session/active"))
  }

  /** It answers before it knows the models. */
  #isReady(): Promise<boolean> {
    const models = `/model?location[directory]=${encodeURIComponent(this.#place.project)}`
    return this.request("GET", models).then(
      (all) => JSON.stringify(all).includes(MODEL.id),
      () => false,
    )
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; !(await holds()); waited += 100) {
      if (waited > 60_000) throw new Error("opencode does not come to an end.")
      await setTimeout(100)
    }
  }
}

/** Calls that succeed and fail, an image, an interruption, and a step back that is not gone on from. */
export const preview: Scenario = {
  name: "preview",
  async run(place, model) {
    writeFileSync(join(place.project, "one.txt"), "one\n")
    const opencode = await SecondOpencode.start(place, model)
    try {
      const talk = await opencode.session()
      await opencode.prompt(talk, "Why is it wrong?")
      await opencode.prompt(talk, `${call("bash", { command: "echo one" })}\n${call("read", { path: "one.txt" })}`)
      await opencode.prompt(talk, call("edit", { path: "one.txt", oldString: "one", newString: "two" }))
      await opencode.prompt(talk, call("read", { path: "none.txt" }))
      await opencode.prompt(talk, "What is it?", [{ uri: `data:image/png;base64,${PIXEL}`, name: "pixel.png" }])
      const stopped = await opencode.session()
      await opencode.prompt(stopped, "One")
      await opencode.interrupt(stopped, call("bash", { command: "sleep 50" }))
      await opencode.prompt(stopped, "Go on")
      const back = await opencode.session()
      await opencode.prompt(back, "Kept")
      const kept = opencode.sent.get(back) ?? []
      const messageID = await opencode.prompt(back, "Taken back")
      await opencode.request("POST", `/session/${back}/revert/stage`, { messageID })
      opencode.sent.set(back, kept)
      const storage = await openAgent("opencode", { env: { HOME: place.home }, cacheDir: null, loadDriver })
      return await checkRecords(storage, {
        ...{ prompts: ["Why is it wrong?", "One", "Kept"], answers: opencode.answers },
        ...{ sent: (id) => opencode.sent.get(id), target: { provider: MODEL.providerID, model: MODEL.id } },
      })
    } finally {
      await opencode.end()
    }
  },
}
