import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import type { Home } from "./home.js"

type Line = Record<string, unknown> & { type: string }

/** A pi in RPC mode. It is killed when the test ends. */
export class RpcPi {
  readonly process: ChildProcess
  /** All that it printed, in order. */
  readonly lines: Line[] = []
  #stderr = ""
  #count = 0
  #waiting: { isIt: (line: Line) => boolean; resolve: (line: Line) => void; reject: (error: Error) => void }[] = []

  constructor(home: Home, ...args: readonly string[]) {
    this.process = spawn(home.node, home.command("--mode", "rpc", ...args), { cwd: home.project, env: home.env })
    this.process.stderr?.on("data", (text) => {
      this.#stderr += text
    })
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on("line", (text) => this.#read(text))
    this.process.on("exit", (code, signal) => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`pi ended: ${code ?? signal} ${this.#stderr}`))
    })
    onTestFinished(() => this.kill())
  }

  /** Sends a command. @returns the response, which may be an error of pi's */
  request(type: string, fields: object = {}): Promise<Line> {
    const id = `${++this.#count}`
    const answered = this.#next((line) => line.type === "response" && (line.id === id || line.command === "parse"))
    this.process.stdin?.write(`${JSON.stringify({ id, type, ...fields })}\n`)
    return answered
  }

  /** Prompts, and waits until the agent has ended its work. */
  async prompt(message: string, fields: object = {}): Promise<void> {
    const ended = this.event("agent_end")
    await Promise.all([ended, this.request("prompt", { message, ...fields })])
  }

  /** Runs a command of the extension, and waits until it reports that it is done. */
  async command(text: string): Promise<void> {
    const done = this.#next((line) => line.method === "notify" || line.type === "extension_error")
    const [{ type, error }] = await Promise.all([done, this.request("prompt", { message: text })])
    if (type === "extension_error") throw new Error(String(error))
  }

  /** Waits for an event. */
  event(type: string): Promise<Line> {
    return this.#next((line) => line.type === type)
  }

  /** Lets it end by itself. */
  async end(): Promise<void> {
    const ended = once(this.process, "exit")
    this.process.stdin?.end()
    const [code] = await ended
    if (code !== 0) throw new Error(`pi ended with ${code}: ${this.#stderr}`)
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const ended = once(this.process, "exit")
    this.process.kill("SIGKILL")
    await ended
  }

  #read(text: string): void {
    const line = JSON.parse(text) as Line
    this.lines.push(line)
    const at = this.#waiting.findIndex(({ isIt }) => isIt(line))
    if (at >= 0) this.#waiting.splice(at, 1)[0]?.resolve(line)
  }

  #next(isIt: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve, reject) => this.#waiting.push({ isIt, resolve, reject }))
  }
}
