// Runs commands so that none is left when the rehearsal ends.
import { spawn } from "node:child_process"
import { toolEnvironment } from "../tools.mjs"
import { processTree, signalTree } from "./process-tree.mjs"

const IS_WINDOWS = process.platform === "win32"
/** How long a command may take to end by itself. Milliseconds. */
const GRACE_MS = 5_000

export class Runner {
  #signal
  #running = new Set()

  /** @param signal ends what runs, and lets nothing begin */
  constructor(signal) {
    this.#signal = signal
    signal.addEventListener("abort", () => this.#endAll())
  }

  get isStopped() {
    return this.#signal.aborted
  }

  /** What the command prints on stdout. Rejects with all that it printed when it fails, or is ended. */
  async run(command, args, { cwd, env = toolEnvironment() }) {
    this.#signal.throwIfAborted()
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: !IS_WINDOWS,
      shell: IS_WINDOWS,
    })
    this.#running.add(child)
    try {
      return await outputOf(child, `${command} ${args.join(" ")}`)
    } finally {
      this.#running.delete(child)
    }
  }

  /** Resolves when nothing runs any more. */
  async done() {
    this.#endAll()
    await Promise.all([...this.#running].map((child) => new Promise((resolve) => child.once("close", resolve))))
  }

  #endAll() {
    for (const child of this.#running) {
      if (child.pid === undefined) continue
      const tree = processTree(child.pid)
      signalTree(tree, "SIGTERM")
      const timer = setTimeout(() => signalTree(tree, "SIGKILL"), GRACE_MS)
      child.once("close", () => clearTimeout(timer))
    }
  }
}

function outputOf(child, line) {
  return new Promise((resolve, reject) => {
    const out = []
    const all = []
    child.stdout.on("data", (piece) => out.push(piece) && all.push(piece))
    child.stderr.on("data", (piece) => all.push(piece))
    child.on("error", (error) => reject(new Error(`${line}: ${error.message}`)))
    child.on("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString())
      else reject(new Error(`${Buffer.concat(all)}\n${line}: ended with ${signal ?? code}`))
    })
  })
}
