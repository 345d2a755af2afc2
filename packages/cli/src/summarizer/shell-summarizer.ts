import type { Summarizer } from "@treelog/session-core/compaction"
import { plural } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { runShell, type ShellEnd } from "./run-shell.js"
import { SummaryError } from "./summary-error.js"

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
  const end = await started(command, {
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
  })
  await shown
  signal.throwIfAborted()
  if (end.exitCode !== 0) throw failed(command, end, said)
  if (answer.trim() === "") throw new SummaryError("empty", "The summarizer printed nothing.", { command })
  return answer
}

async function started(command: string, options: Parameters<typeof runShell>[1]): Promise<ShellEnd> {
  try {
    return await runShell(command, options)
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    throw new SummaryError("not-started", `The summarizer could not be run: ${errno}.`, { command, errno }, cause)
  }
}

function failed(command: string, { exitCode, signal }: ShellEnd, said: string): SummaryError {
  const how = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
  const message = said === "" ? `The summarizer ${how}.` : `The summarizer ${how}: ${said}`
  return new SummaryError("failed", message, { command, exitCode, signal })
}
