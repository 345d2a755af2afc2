import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { kill, platform } from "node:process"
import { createInterface } from "node:readline"
import type { Summarizer } from "@treelog/session-core/compaction"
import { absoluteFolder } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import { type CommandContext, Progress } from "../io/command-context.js"
import type { Io } from "../io/io.js"

interface ShellSummarizer {
  /** A command line for the system's shell. */
  readonly command: string
  /** The time limit for all of it, in milliseconds; 0 for none. */
  readonly timeout: number
}

type Work<Result> = (summarizer: Summarizer, signal: AbortSignal) => Promise<Result>

/** UTF-16 units; a summary of a whole book is shorter. */
const MAX_ANSWER = 4_000_000
/** The longest that a timer can be set to, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Lends the work a summarizer that runs a command: it gets the prompt on stdin, and answers on stdout. Whatever ends the
 * work, no command is left running.
 * @throws SummaryError when a command fails, prints nothing or takes too long
 */
export async function withShellSummarizer<Result>(
  context: CommandContext,
  { command, timeout }: ShellSummarizer,
  work: Work<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.io.interrupted, stop.signal])
  const running: Promise<string>[] = []
  const summarizer: Summarizer = async (request) => {
    const answer = answerOf(context, command, request, signal, (error) => stop.abort(error))
    running.push(answer)
    return { text: await answer }
  }
  const late = (): void =>
    stop.abort(new SummaryError("timeout", `The summarizer took longer than ${plural(timeout / 1000, "second")}.`))
  const timer = timeout > 0 ? setTimeout(late, Math.min(timeout, LONGEST_TIMER)) : undefined
  try {
    return await new Progress(context).during(work(summarizer, signal), () => "Waiting for the summary")
  } catch (error) {
    // Of two commands that run at once, the other is not needed any more.
    stop.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    await Promise.allSettled(running)
  }
}

async function answerOf(
  context: CommandContext,
  command: string,
  { systemPrompt, prompt }: Parameters<Summarizer>[0],
  signal: AbortSignal,
  stop: (reason: SummaryError) => void,
): Promise<string> {
  let answer = ""
  let said = ""
  let shown = Promise.resolve()
  const end = await runShell(command, {
    input: `${systemPrompt}\n\n${prompt}\n`,
    cwd: context.io.cwd,
    env: context.io.env,
    signal,
    onOutput: (piece) => {
      answer += piece
      if (answer.length > MAX_ANSWER) stop(new SummaryError("too-long", "The summarizer does not come to an end."))
    },
    onTalk: (line) => {
      said = line
      shown = shown.then(() => context.log(line))
      // It is awaited when the command has ended.
      shown.catch(() => undefined)
    },
  }).catch((cause: unknown) => {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    throw new SummaryError("not-started", `The summarizer could not be run: ${errno}.`, { command, errno }, cause)
  })
  await shown
  signal.throwIfAborted()
  if (end.exitCode !== 0) throw failed(command, end, said)
  if (answer.trim() === "") throw new SummaryError("empty", "The summarizer printed nothing.", { command })
  return answer
}

function failed(command: string, { exitCode, signal }: ShellEnd, said: string): SummaryError {
  const how = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
  const message = said === "" ? `The summarizer ${how}.` : `The summarizer ${how}: ${said}`
  return new SummaryError("failed", message, { command, exitCode, signal })
}

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

interface ShellEnd {
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
function runShell(command: string, options: ShellOptions): Promise<ShellEnd> {
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

/** Why there is no summary. */
type NoSummary = "not-started" | "failed" | "timeout" | "empty" | "too-long" | "unreadable" | "overtaken"

/** No summary came, and nothing was changed. Has the shape of a TreelogError, so that it is reported like one. */
export class SummaryError extends Error {
  override readonly name = "SummaryError"
  readonly code = "SummaryError"
  readonly data: Readonly<Record<string, unknown> & { reason: NoSummary }>

  constructor(reason: NoSummary, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.data = { reason, ...data }
  }
}

/** Why nothing was summarized, of what summarizes. */
export function noSummary(status: "empty-summary" | "overtaken", command: string | undefined): SummaryError {
  return status === "empty-summary"
    ? new SummaryError("empty", "The summarizer printed nothing.", { command })
    : new SummaryError("overtaken", "The session moved on while it was summarized.")
}

/**
 * A summary that was written already.
 * @param file `-` for stdin
 * @throws SummaryError when it cannot be read, is not text, or is empty
 */
export async function readSummary(io: Io, file: string): Promise<string> {
  const summary = (file === "-" ? await io.readStdin() : await readTextFile(absoluteFolder(io, file))).trim()
  if (summary === "") throw new SummaryError("empty", "The summary is empty.", { file })
  return summary
}

async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    const why = errno === "ENOENT" ? `There is no file ${path}.` : `Cannot read ${path}: ${errno}.`
    throw new SummaryError("unreadable", why, { file: path, errno }, cause)
  }
}
