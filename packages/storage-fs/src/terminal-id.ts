import type { Env } from "./presets.js"

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
