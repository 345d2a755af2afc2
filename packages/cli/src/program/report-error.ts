import { jsonText } from "@treelog/session-core/json"
import { cleanJson, cleanLine, cleanText } from "@treelog-internal/text"
import { type Candidate, candidateLines } from "../errors/candidates.js"
import { adviceFor, type Fault, faultOf, stackOf } from "../errors/error-report.js"
import { type ExitCode, exitCodeFor } from "../errors/exit-codes.js"
import type { GlobalOptions } from "../io/command-context.js"
import type { Io } from "../io/io.js"
import { styleFor } from "../render/style.js"

/** Prints an error on stderr, in the form that the options select, and returns its exit code. */
export async function reportError(error: unknown, io: Io, options: GlobalOptions): Promise<ExitCode> {
  const fault = faultOf(error)
  const stack = options.debug && error instanceof Error ? stackOf(error) : undefined
  if (options.json) {
    const { code, message, data } = fault
    const report = { v: 1, error: { code, message, data, stack } }
    await io.stderr.write(`${cleanJson(jsonText(report))}\n`)
  } else {
    const lines = [
      `treelog: ${cleanLine(fault.message)}`,
      ...candidatesOf(fault, io, options),
      ...hintLines(fault),
      ...adviceFor(error),
    ]
    if (stack !== undefined) lines.push(cleanText(stack))
    await io.stderr.write(`${lines.join("\n")}\n`)
  }
  return exitCodeFor(fault.code)
}

function candidatesOf({ code, data }: Fault, io: Io, options: GlobalOptions): string[] {
  if (code !== "AmbiguousSessionError") return []
  const { candidates } = data as { candidates: readonly Candidate[] }
  return candidateLines(candidates, { style: styleFor(io.stderr, io.env, options), now: io.now() })
}

/** `@last` looks in one folder only, which is easily forgotten. */
function hintLines({ code, data }: Fault): string[] {
  return code === "SessionNotFoundError" && "cwd" in data ? ["  --all searches every folder."] : []
}
