import { createRequire } from "node:module"
import type * as Pty from "@lydell/node-pty"
import type * as Unicode from "@xterm/addon-unicode11"
import type * as Xterm from "@xterm/headless"
import { bytesOf, type TerminalKey } from "./keys.js"

// A real terminal around a program: a pseudo-terminal of the system, and an emulator that keeps the screen. Both come from
// npm and need no compiler.

const load = createRequire(import.meta.url)

export interface TerminalOptions {
  /** The folder in which the program runs. */
  readonly cwd: string
  /** All that the program has of an environment, besides `TERM`. */
  readonly env: Record<string, string>
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** A program in a terminal. It needs no test runner: close it. */
export class TerminalProgram {
  protected readonly screen: Xterm.Terminal
  readonly #process: Pty.IPty
  #sent = ""
  /** Resolves with the exit code. */
  readonly ended: Promise<number>

  constructor(program: string, args: readonly string[], { cwd, env, columns = 80, rows = 24 }: TerminalOptions) {
    const { Terminal } = load("@xterm/headless") as typeof Xterm
    const { Unicode11Addon } = load("@xterm/addon-unicode11") as typeof Unicode
    this.screen = new Terminal({ cols: columns, rows, allowProposedApi: true })
    this.screen.loadAddon(new Unicode11Addon())
    this.screen.unicode.activeVersion = "11"
    this.#process = pty().spawn(program, [...args], {
      cols: columns,
      rows,
      cwd,
      env: { TERM: "xterm-256color", ...env },
    })
    this.#process.onData((data) => {
      this.#sent += data
      this.screen.write(data)
    })
    // A terminal answers what a program asks: where the cursor is, what kind of terminal it is.
    const answers = this.screen.onData((data) => this.#process.write(data))
    this.ended = new Promise((resolve) => {
      this.#process.onExit(({ exitCode }) => {
        answers.dispose()
        resolve(exitCode)
      })
    })
  }

  type(text: string): void {
    this.#process.write(text)
  }

  press(...keys: readonly TerminalKey[]): void {
    for (const key of keys) this.#process.write(bytesOf(key))
  }

  resize(columns: number, rows: number): void {
    this.#process.resize(columns, rows)
    this.screen.resize(columns, rows)
  }

  /** What the screen shows, without spaces at the ends of lines. */
  lines(): string[] {
    const { buffer, rows } = this.screen
    return Array.from(
      { length: rows },
      (_, row) =>
        buffer.active
          .getLine(buffer.active.viewportY + row)
          ?.translateToString(true)
          .trimEnd() ?? "",
    )
  }

  /** Everything that was sent to the terminal. */
  get sent(): string {
    return this.#sent
  }

  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    this.#process.kill(name)
  }

  /** Kills the program. */
  async close(): Promise<void> {
    this.#process.kill("SIGKILL")
    await this.ended
    this.screen.dispose()
  }
}

export function pty(): typeof Pty {
  return load("@lydell/node-pty") as typeof Pty
}
