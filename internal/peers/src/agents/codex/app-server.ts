import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { AgentPlace } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"

/** What Codex's server reports. */
interface Notice {
  readonly id?: number
  readonly method?: string
  readonly params?: Json
  readonly result?: Json
  readonly error?: unknown
}

/** Codex as editors run it: threads are driven over its standard streams, as a person would at a terminal. */
export class AppServer {
  readonly #child: ChildProcess
  readonly #answers = new Map<number, (notice: Notice) => void>()
  readonly #ended: Json[] = []
  readonly #waiting = new Set<() => void>()
  #calls = 0

  constructor({ bin, project, env }: AgentPlace) {
    const child = spawn(join(bin, "codex"), ["app-server"], { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] })
    this.#child = child
    createInterface({ input: child.stdout }).on("line", (line) => this.#receive(JSON.parse(line)))
    child.on("close", () => {
      for (const answer of this.#answers.values()) answer({ error: "codex app-server has ended" })
    })
  }

  async start(project: string): Promise<string> {
    await this.call("initialize", {
      clientInfo: { name: "check-agents", version: "1" },
      capabilities: { experimentalApi: true },
    })
    this.#send({ method: "initialized" })
    return threadIn(await this.call("thread/start", { cwd: project }))
  }

  /** @throws Error: Codex refused it */
  async call(method: string, params: Json): Promise<Json> {
    const id = ++this.#calls
    const answer = new Promise<Notice>((resolve) => this.#answers.set(id, resolve))
    this.#send({ id, method, params })
    const { result, error } = await answer
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result ?? {}
  }

  /** Says something, and waits until that turn has ended: others may end before, which sub-agents began. @returns its id */
  async turn(threadId: string, input: string | readonly Json[]): Promise<string> {
    const all = typeof input === "string" ? [{ type: "text", text: input, text_elements: [] }] : input
    const { turn } = await this.call("turn/start", { threadId, input: all })
    const id = (turn as Json).id
    // A sub-agent that goes on from the conversation ends the turn of its copy, which has the same id.
    await this.#until(() => this.#ended.some((ended) => ended.threadId === threadId && (ended.turn as Json).id === id))
    return String(id)
  }

  /** Does what makes turns, and waits until so many have ended. */
  async during(turns: number, work: () => Promise<Json>): Promise<void> {
    const wanted = this.#ended.length + turns
    await work()
    await this.#until(() => this.#ended.length >= wanted)
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#child.on("close", () => resolve()))
    this.#child.kill()
    return closed
  }

  #send(message: Json): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  #receive(notice: Notice): void {
    const answer = notice.method === undefined && notice.id !== undefined ? this.#answers.get(notice.id) : undefined
    if (answer && notice.id !== undefined) this.#answers.delete(notice.id)
    answer?.(notice)
    if (notice.method !== "turn/completed") return
    this.#ended.push(notice.params ?? {})
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

export function threadIn({ thread }: Json): string {
  return String((thread as Json).id)
}
