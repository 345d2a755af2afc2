import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { kill, platform } from "node:process"

export interface ShellOptions {
  /** What the command reads on stdin. It need not. */
  readonly input: string
  /** An absolute path. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the command, and what it started. */
  readonly signal: AbortSignal
  /** Gets each piece of stdout as it arrives. */
  readonly onOutput: (piece: string) => void
  /** Gets each piece of stderr. */
  readonly onTalk: (piece: string) => void
}

export interface ShellEnd {
  /** Null where a signal ended the command. */
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Time for a command to end by itself, in milliseconds. */
const GRACE_MS = 2000

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
    child.stderr.setEncoding("utf8").on("data", onTalk)
    child.stdin.on("error", (error) => {
      // A command that has read enough, or reads nothing, is no fault.
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

export interface LineSplitter {
  add(piece: string): void
  /** Resolves when every line was handled. @throws what `onLine` threw */
  end(): Promise<void>
  /** The last line that is not empty, or an empty text. */
  lastLine(): string
}

/** UTF-16 units; who writes no line break is cut. */
const LONGEST_LINE = 2000

/** Splits text that arrives in pieces into lines, in order, without empty lines. A line that is repainted is a line each time. */
export function lineSplitter(onLine: (line: string) => Promise<void>): LineSplitter {
  let rest = ""
  let last = ""
  let handled = Promise.resolve()
  const handleLine = (line: string): void => {
    if (line.trim() === "") return
    last = line.slice(0, LONGEST_LINE)
    const shown = last
    handled = handled.then(() => onLine(shown))
    // `end` throws it.
    handled.catch(() => undefined)
  }
  return {
    add(piece) {
      const lines = (rest + piece).split(/\r\n|[\r\n]/)
      rest = (lines.pop() ?? "").slice(0, LONGEST_LINE)
      for (const line of lines) handleLine(line)
    },
    end() {
      handleLine(rest)
      rest = ""
      return handled
    },
    lastLine: () => last,
  }
}
