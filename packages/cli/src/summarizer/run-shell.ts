import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { kill, platform } from "node:process"
import { createInterface } from "node:readline"

interface ShellOptions {
  /** What the command reads on stdin. It need not. */
  readonly input: string
  /** An absolute path. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the command, and what it started. */
  readonly signal: AbortSignal
  readonly onOutput: (piece: string) => void
  /** Gets each line of stderr that is not empty. A line that is repainted is a line each time. */
  readonly onTalk: (line: string) => void
}

export interface ShellEnd {
  /** Null where a signal ended the command. */
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Time for a command to end by itself, in milliseconds. */
const GRACE_MS = 2000

/** UTF-16 units of a line of stderr that are shown. */
const LONGEST_LINE = 2000

/** Commands get a process group of their own, which is ended as a whole; Windows has none. */
const HAS_GROUPS = platform !== "win32"

/**
 * Runs a command line in the system's shell, and resolves when it has ended, also where the signal ended it.
 * @throws the system's error when it cannot be started, or its input cannot be written
 */
export function runShell(command: string, options: ShellOptions): Promise<ShellEnd> {
  const { input, cwd, env, signal, onOutput, onTalk } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, env, detached: HAS_GROUPS, windowsHide: true })
    const ended = endsWith(child, signal)
    child.on("error", reject)
    child.on("close", ended)
    child.on("close", (exitCode, endedBy) => resolve({ exitCode, signal: endedBy }))
    child.stdout.setEncoding("utf8").on("data", onOutput)
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (line.trim() !== "") onTalk(line.slice(0, LONGEST_LINE))
    })
    child.stdin.on("error", (error) => {
      // A command that has read enough, or reads nothing, has not failed.
      if (!("code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET"))) reject(error)
    })
    child.stdin.end(input)
  })
}

/** Has the signal end the command. The function that is returned is to be called when it has ended. */
function endsWith(child: ChildProcessWithoutNullStreams, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    send(child, "SIGTERM")
    timer = setTimeout(() => {
      send(child, "SIGKILL")
      // What left the group may hold the pipes open.
      for (const pipe of child.stdio) pipe?.destroy()
    }, GRACE_MS)
  }
  if (signal.aborted) end()
  else signal.addEventListener("abort", end, { once: true })
  return () => {
    clearTimeout(timer)
    signal.removeEventListener("abort", end)
  }
}

function send(child: ChildProcessWithoutNullStreams, signal: "SIGTERM" | "SIGKILL"): void {
  if (!HAS_GROUPS || child.pid === undefined) {
    child.kill(signal)
    return
  }
  try {
    kill(-child.pid, signal)
  } catch (error) {
    // Nothing of the group is left.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}
