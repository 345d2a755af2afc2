import { jsonText } from "@treelog/session-core/json"
import type { Io } from "../io/io.js"
import type { GlobalOptions } from "../program/options.js"
import { cleanJson, cleanLine, cleanText } from "../render/clean-text.js"
import { styleFor } from "../render/style.js"
import type { Candidate } from "./candidate-lines.js"
import { adviceFor, commandMessage } from "./command-message.js"
import { type ExitCode, exitCodeFor } from "./exit-codes.js"

/** The fields of a reported error. */
interface Fault {
  readonly code: string
  readonly message: string
  readonly data: unknown
}

/** Says on stderr what went wrong, as the options ask, and returns the exit code for it. */
export async function reportError(error: unknown, io: Io, options: GlobalOptions): Promise<ExitCode> {
  const fault = faultOf(error)
  const stack = options.debug && error instanceof Error ? stackOf(error) : undefined
  if (options.json) {
    const { code, message, data } = fault
    const report = { v: 1, error: { code, message, data, ...(stack !== undefined && { stack }) } }
    await io.stderr.write(`${cleanJson(jsonText(report))}\n`)
  } else {
    const lines = [
      `treelog: ${cleanLine(fault.message)}`,
      ...(await candidatesOf(fault, io, options)),
      ...hintLines(fault, options),
      ...adviceFor(error),
    ]
    if (stack !== undefined) lines.push(cleanText(stack))
    await io.stderr.write(`${lines.join("\n")}\n`)
  }
  return exitCodeFor(fault.code)
}

/** Nobody reads any more what we print: there is nothing left to do, and nothing wrong. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: "InternalError", message: String(error), data: {} }
  const message = commandMessage(error)
  if ("code" in error && error.code === error.name) {
    return { code: error.name, message, data: "data" in error ? error.data : {} }
  }
  return { code: "InternalError", message: `${message || error.name} (unexpected; --debug shows more)`, data: {} }
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ""
  return `${error.stack ?? error.message}${cause}`
}

/** The sessions that an ambiguous reference fits. */
async function candidatesOf({ code, data }: Fault, io: Io, options: GlobalOptions): Promise<string[]> {
  if (code !== "AmbiguousSessionError") return []
  const { candidateLines } = await import("./candidate-lines.js")
  const { candidates } = data as { candidates: readonly Candidate[] }
  return candidateLines(candidates, { style: styleFor(io.stderr, io.env, options), now: io.now() })
}

/** Names and `@last` look in one folder only, which is easily forgotten. */
function hintLines({ code, data }: Fault, { all }: GlobalOptions): string[] {
  const ref = (data as { ref?: unknown } | undefined)?.ref
  const isPath = typeof ref === "string" && (/[/\\]/.test(ref) || ref.endsWith(".jsonl"))
  return code === "SessionNotFoundError" && ref !== "" && !isPath && !all ? ["  --all searches every folder."] : []
}
