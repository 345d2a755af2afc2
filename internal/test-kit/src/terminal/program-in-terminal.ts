import { spawnSync } from "node:child_process"
import { expect, onTestFinished, vi } from "vitest"
import { pty, type TerminalOptions, TerminalProgram } from "./terminal-program.js"

/** Why there is no pseudo-terminal here; undefined where there is one. Prebuilt ones exist for Linux (glibc), macOS and Windows. */
export const NO_TERMINAL: string | undefined = reasonWithout()

/** How long a screen may take to show what it must, on a machine that does other things too. */
const PATIENCE = { timeout: 300_000, interval: 30 }

/** A program in a terminal. It is killed when the test ends. */
export class ProgramInTerminal extends TerminalProgram {
  constructor(program: string, args: readonly string[], options: TerminalOptions) {
    super(program, args, options)
    onTestFinished(() => this.close())
  }

  /** Waits until the screen shows what it must. */
  async shows(check: (lines: readonly string[]) => void): Promise<void> {
    await vi.waitFor(() => check(this.lines()), PATIENCE)
  }

  /** Waits until some line of the screen holds a text. */
  async showsText(text: string | RegExp): Promise<void> {
    await this.shows((lines) => expect(lines.join("\n")).toMatch(text))
  }

  /** Waits for the end, and checks that the terminal is as it was before. */
  async endsWith(exitCode: number): Promise<void> {
    expect(await this.ended).toBe(exitCode)
    await vi.waitFor(() => expect(this.screen.buffer.active.type).toBe("normal"), PATIENCE)
    expect(this.screen.modes).toMatchObject({ bracketedPasteMode: false, wraparoundMode: true })
    expect(this.sent.lastIndexOf("\x1b[?25h")).toBeGreaterThanOrEqual(this.sent.lastIndexOf("\x1b[?25l"))
  }
}

function reasonWithout(): string | undefined {
  try {
    pty()
  } catch (error) {
    return `no pseudo-terminal for ${process.platform} ${process.arch}: ${error instanceof Error ? error.message : error}`
  }
  return spawnSync("sh", ["-c", "true"]).error ? "there is no sh" : undefined
}
