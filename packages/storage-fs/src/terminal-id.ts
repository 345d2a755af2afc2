import { readlink } from "node:fs/promises"
import { type Env, errnoOf } from "@treelog-internal/fs"
import { nodeChildProcess, nodeTty } from "./lazy-modules.js"

// What terminals name their windows with, where the terminal device is not known.
const WINDOWS = [
  ["KITTY_WINDOW_ID", "kitty"],
  ["TMUX_PANE", "tmux"],
  ["TERM_SESSION_ID", "apple"],
  ["WT_SESSION", "wt"],
] as const

/**
 * The name of this terminal, fit for a file (FORMAT.md, section 8); undefined when there is none. Pure.
 * @param ttyPath such as `/dev/pts/3`
 */
export function terminalIdOf({ ttyPath, env }: { ttyPath?: string | undefined; env: Env }): string | undefined {
  if (ttyPath) return cleaned(ttyPath.replace(/^\/dev\//, "").replaceAll("/", "-"))
  for (const [variable, prefix] of WINDOWS) {
    const window = env[variable]
    if (window) return cleaned(`${prefix}-${window}`)
  }
  return undefined
}

/** Only characters that a file name may hold; undefined when the rest names no file. */
export function cleaned(id: string): string | undefined {
  const name = id.replace(/[^A-Za-z0-9._-]/g, "")
  return /^\.{0,2}$/.test(name) ? undefined : name
}

/** The terminal device that this process reads from; undefined when it reads from none, or the system does not report it. */
export async function ttyPath(): Promise<string | undefined> {
  if (process.platform === "win32" || !nodeTty().isatty(0)) return undefined
  try {
    return await readlink("/proc/self/fd/0")
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return askTty()
  }
}

/** Where there is no /proc, the program `tty` knows, if it inherits our input. */
function askTty(): string | undefined {
  const { stdout, status } = nodeChildProcess().spawnSync("tty", {
    stdio: ["inherit", "pipe", "ignore"],
    encoding: "utf8",
  })
  return status === 0 ? stdout.trim() : undefined
}
