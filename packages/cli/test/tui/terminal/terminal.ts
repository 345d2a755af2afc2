import { existsSync, readFileSync } from "node:fs"
import { ProgramInTerminal } from "@treelog-internal/test-kit/terminal"
import { MAIN } from "../../built-imports.js"
import type { Sandbox } from "../../sandbox.js"

export { NO_TERMINAL } from "@treelog-internal/test-kit/terminal"

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  /** Where stdout goes. Default: a file, so that what is drawn and what is printed do not mix. */
  readonly stdout?: "file" | "terminal"
}

/** The command that `npm run build` made, in a terminal. */
export class TestTerminal extends ProgramInTerminal {
  readonly #printed: string

  constructor(
    { folder, agentDir, project, cacheDir }: Sandbox,
    args: readonly string[],
    { columns, rows, env, stdout = "file" }: TerminalOptions = {},
  ) {
    const printed = `${folder}/printed`
    const line = stdout === "file" ? `exec "$0" "$@" > "${printed}"` : 'exec "$0" "$@"'
    super("sh", ["-c", line, process.execPath, MAIN, ...args], {
      columns,
      rows,
      cwd: project,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: folder,
        TREELOG_AGENT_DIR: agentDir,
        TREELOG_CACHE_DIR: cacheDir,
        LANG: "C.UTF-8",
        ...env,
      },
    })
    this.#printed = printed
  }

  /** Waits for the end, and checks that the terminal is as it was before. @returns what was printed to a file */
  async ends(exitCode: number): Promise<string> {
    await this.endsWith(exitCode)
    return existsSync(this.#printed) ? readFileSync(this.#printed, "utf8") : ""
  }
}
