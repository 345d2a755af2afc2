import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** A process whose every line on stdout is something that it vouches for. */
export interface Child {
  readonly process: ChildProcess
  readonly lines: string[]
  /** Resolves at the next line, or when the process ends. */
  nextLine(): Promise<void>
  /** Ends it without a chance to tidy up, and waits until its lines are all read. */
  kill(): Promise<void>
  /** Waits until it ends by itself, and fails when it ends badly. */
  done(): Promise<void>
}

export function startChild(program: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on("line", (line) => lines.push(line))
  const closed = once(child, "close")
  return {
    process: child,
    lines,
    async nextLine() {
      await Promise.race([once(reader, "line"), closed])
    },
    async kill() {
      child.kill("SIGKILL")
      await closed
    },
    async done() {
      const [code, signal] = await closed
      if (code !== 0) throw new Error(`The process ended with ${code ?? signal}.`)
    },
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
