// Where the tools of this repository are, and how they are run: no telemetry, no colours.
import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "")

/** Has the tools of releases, which npm start does not install. */
export const RELEASES = join(ROOT, "internal", "releases")

/** What leaves no trace between runs: the caches and reports of the scripts. */
export const CACHE = join(ROOT, "node_modules", ".cache", "treelog")

const QUIET = { DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" }

export function toolEnvironment() {
  const { FORCE_COLOR: _, ...env } = process.env
  const tools = [ROOT, RELEASES].map((folder) => join(folder, "node_modules", ".bin"))
  return { ...env, ...QUIET, PATH: [...tools, env.PATH ?? ""].join(delimiter) }
}

/**
 * Runs a command from the root and keeps what it prints: `{ code, output }`. Aborting the signal ends the command.
 * @param onOutput called with each piece of text that it prints
 */
export function capture(command, args, { env = {}, cwd = ROOT, signal, onOutput } = {}) {
  return new Promise((resolve) => {
    const shell = process.platform === "win32"
    const child = spawn(command, args, { cwd, env: { ...toolEnvironment(), ...env }, shell, signal })
    const pieces = []
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => {
        pieces.push(piece)
        onOutput?.(piece.toString())
      })
    child.on("error", (error) => resolve({ code: 127, output: `${error.message}\n` }))
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(pieces).toString() }))
  })
}
