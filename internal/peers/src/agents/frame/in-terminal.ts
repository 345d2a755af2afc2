import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { TerminalProgram } from "@treelog-internal/test-kit/terminal-program"
import type { ModelServer } from "../model/model-server.js"
import type { AgentPlace } from "./run-agent.js"

/** How long a screen may take to show what it must. Milliseconds. */
const PATIENCE = 120_000

/** An agent in a terminal, as a person uses it. */
export class AgentInTerminal extends TerminalProgram {
  constructor({ bin, project, env }: AgentPlace, program: string, args: readonly string[]) {
    super(join(bin, program), args, { cwd: project, env: { ...env }, columns: 120, rows: 50 })
  }

  /** Waits until the screen shows a text. @throws Error with the screen: it does not */
  async shows(text: string | RegExp): Promise<void> {
    await this.until(`show ${text}`, () => this.lines().join("\n").search(text) !== -1)
  }

  /** Waits until the screen has not changed for some time. */
  async rests(): Promise<void> {
    let [shown, since] = ["", 0]
    await this.until("rest", () => {
      const now = this.lines().join("\n")
      since = now === shown ? since + 1 : 0
      shown = now
      return since > 40
    })
  }

  /**
   * Types a line, and presses Enter until something holds: a key can come too early. Seldom, since a busy machine shows late what it did.
   * @param what it is, for the error
   */
  async enter(line: string, what: string, holds: () => boolean): Promise<void> {
    this.type(line)
    await this.until(`have the input ${line}`, () => this.lines().join("").includes(line.slice(0, 20)))
    let waited = 0
    await this.until(what, () => {
      if (++waited % 400 === 20) this.press("Enter")
      return holds()
    })
  }

  /** Types a prompt, and waits until it is answered and the screen shows that the agent waits. */
  async say(prompt: string, { requests }: ModelServer, waits: RegExp): Promise<void> {
    const before = requests.length
    await this.enter(prompt, `ask ${prompt}`, () => requests.length > before)
    const isAnswer = (line: string): boolean => new RegExp(`(Answer|results) ${requests.length}\\b`).test(line)
    await this.until(
      `answer ${prompt}`,
      () => this.lines().some(isAnswer) && this.lines().some((line) => waits.test(line)),
    )
  }

  /** Waits until something holds. @param what it is, for the error @throws Error with the screen: it does not */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let waited = 0; !holds(); waited += 50) {
      if (waited > PATIENCE) throw new Error(`The screen does not ${what}:\n${this.lines().join("\n").trimEnd()}`)
      await setTimeout(50)
    }
  }
}
