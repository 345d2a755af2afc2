import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as Pty from "@lydell/node-pty"
import type * as Unicode from "@xterm/addon-unicode11"
import type * as Xterm from "@xterm/headless"
import { expect, onTestFinished, vi } from "vitest"
import { MAIN } from "../../built-imports.js"
import type { Sandbox } from "../../sandbox.js"

// A real terminal around the command that `npm run build` made: a pseudo-terminal of the system, and an emulator that
// keeps the screen. Both come from npm and need no compiler.

const load = createRequire(import.meta.url)

/** Why there is no pseudo-terminal here; undefined where there is one. Prebuilt ones exist for Linux (glibc), macOS and Windows. */
export const NO_TERMINAL: string | undefined = reasonWithout()

/** Columns and rows. */
export const SIZES = [
  [80, 24],
  [200, 50],
] as const

/** So long a screen may take to show what it must, on a machine that does other things too. */
const PATIENCE = { timeout: 30_000, interval: 30 }

const KEYS = {
  Enter: "\r",
  Escape: "\x1b",
  Tab: "\t",
  BackTab: "\x1b[Z",
  Backspace: "\x7f",
  Up: "\x1b[A",
  Down: "\x1b[B",
  Right: "\x1b[C",
  Left: "\x1b[D",
  End: "\x1b[F",
  Home: "\x1b[H",
  PageUp: "\x1b[5~",
  PageDown: "\x1b[6~",
} as const

export type TerminalKey = keyof typeof KEYS | `Ctrl-${string}`

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  /** Where stdout goes. Default: a file, so that what is drawn and what is printed do not mix. */
  readonly stdout?: "file" | "terminal"
}

/** The command in a terminal. */
export class TestTerminal {
  readonly #screen: Xterm.Terminal
  readonly #process: Pty.IPty
  readonly #printed: string
  #sent = ""
  /** Resolves with the exit code. */
  readonly ended: Promise<number>

  constructor(
    { folder, agentDir, project, cacheDir }: Sandbox,
    args: readonly string[],
    options: TerminalOptions = {},
  ) {
    const { columns: cols = 80, rows = 24, env, stdout = "file" } = options
    const { Terminal } = load("@xterm/headless") as typeof Xterm
    const { Unicode11Addon } = load("@xterm/addon-unicode11") as typeof Unicode
    this.#screen = new Terminal({ cols, rows, allowProposedApi: true })
    this.#screen.loadAddon(new Unicode11Addon())
    this.#screen.unicode.activeVersion = "11"
    this.#printed = `${folder}/printed`
    const line = stdout === "file" ? `exec "$0" "$@" > "${this.#printed}"` : 'exec "$0" "$@"'
    this.#process = pty().spawn("sh", ["-c", line, process.execPath, MAIN, ...args], {
      cols,
      rows,
      cwd: project,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: folder,
        TREELOG_AGENT_DIR: agentDir,
        TREELOG_CACHE_DIR: cacheDir,
        LANG: "C.UTF-8",
        TERM: "xterm-256color",
        ...env,
      },
    })
    this.#process.onData((data) => {
      this.#sent += data
      this.#screen.write(data)
    })
    this.ended = new Promise((resolve) => {
      this.#process.onExit(({ exitCode }) => resolve(exitCode))
    })
    onTestFinished(async () => {
      this.#process.kill("SIGKILL")
      await this.ended
      this.#screen.dispose()
    })
  }

  type(text: string): void {
    this.#process.write(text)
  }

  press(...keys: readonly TerminalKey[]): void {
    for (const key of keys) this.#process.write(key in KEYS ? KEYS[key as keyof typeof KEYS] : control(key))
  }

  resize(columns: number, rows: number): void {
    this.#process.resize(columns, rows)
    this.#screen.resize(columns, rows)
  }

  /** What the screen shows, without spaces at the ends of lines. */
  lines(): string[] {
    const { buffer, rows } = this.#screen
    return Array.from(
      { length: rows },
      (_, row) =>
        buffer.active
          .getLine(buffer.active.viewportY + row)
          ?.translateToString(true)
          .trimEnd() ?? "",
    )
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
  async ends(exitCode: number): Promise<string> {
    expect(await this.ended).toBe(exitCode)
    await vi.waitFor(() => expect(this.#screen.buffer.active.type).toBe("normal"), PATIENCE)
    expect(this.#screen.modes).toMatchObject({ bracketedPasteMode: false, wraparoundMode: true })
    expect(this.#sent.lastIndexOf("\x1b[?25h")).toBeGreaterThanOrEqual(this.#sent.lastIndexOf("\x1b[?25l"))
    return existsSync(this.#printed) ? readFileSync(this.#printed, "utf8") : ""
  }

  /** Everything that was sent to the terminal. */
  get sent(): string {
    return this.#sent
  }

  signal(name: "SIGINT" | "SIGTERM"): void {
    this.#process.kill(name)
  }
}

function control(key: string): string {
  return String.fromCharCode(key.slice("Ctrl-".length).charCodeAt(0) - 0x60)
}

function pty(): typeof Pty {
  return load("@lydell/node-pty") as typeof Pty
}

function reasonWithout(): string | undefined {
  try {
    pty()
  } catch (error) {
    return `no pseudo-terminal for ${process.platform} ${process.arch}: ${error instanceof Error ? error.message : error}`
  }
  return spawnSync("sh", ["-c", "true"]).error ? "there is no sh" : undefined
}
