import { readlink } from "node:fs/promises"
import { isatty } from "node:tty"
import { errnoOf } from "@treelog-internal/fs"
import { nodeChildProcess } from "./lazy-modules.js"

/** The terminal device that this process reads from; undefined when it reads from none, or the system does not tell. */
export async function ttyPath(): Promise<string | undefined> {
  if (process.platform === "win32" || !isatty(0)) return undefined
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
