import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { TerminalProgram } from "@treelog-internal/test-kit/terminal-program"
import type { AgentPlace } from "./run-agent.js"

/** So long a screen may take to show what it must. Milliseconds. */
const PATIENCE = 60_000

/** An agent in a terminal, as a person uses it. */
export class AgentInTerminal extends TerminalProgram {
  constructor({ bin, project, env }: AgentPlace, program: string, args: readonly string[]) {
    super(join(bin, program), args, { cwd: project, env: { ...env }, columns: 120, rows: 50 })
  }

  /** Waits until the screen shows a text. @throws Error with the screen: it does not */
  async shows(text: string | RegExp): Promise<void> {
    await this.until(`show ${text}`, () => this.lines().join("\n").search(text) !== -1)
  }

  /** Waits until something holds. @param what it is, for the error @throws Error with the screen: it does not */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let waited = 0; !holds(); waited += 50) {
      if (waited > PATIENCE) throw new Error(`The screen does not ${what}:\n${this.lines().join("\n").trimEnd()}`)
      await setTimeout(50)
    }
  }
}
