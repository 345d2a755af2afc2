import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import type { BashExecutionMessage, PythonExecutionMessage } from "../../entry/message.js"

/** The text that a model gets for a command that the user ran (FORMAT.md, section 6). */
export function bashText(run: BashExecutionMessage): string {
  const whole = run.truncated && run.fullOutputPath
  const notes = whole ? [`[Output truncated. Full output: ${run.fullOutputPath}]`] : []
  return runText(`\`${textOf(run.command)}\``, "", run, ["(command cancelled)", "Command exited with code"], notes)
}

/** The same for Python code (omp, xcsh). */
export function pythonText(run: PythonExecutionMessage): string {
  const code = `Python:\n\`\`\`python\n${textOf(run.code)}\n\`\`\``
  return runText(code, "Output:\n", run, ["(execution cancelled)", "Execution failed with code"])
}

function runText(
  what: string,
  heading: string,
  run: Pick<BashExecutionMessage, "output" | "cancelled" | "exitCode"> & { readonly meta?: unknown },
  [cancelled, exited]: readonly [string, string],
  notes: readonly string[] = [],
): string {
  const output = textOf(run.output)
  const shown = output === "" ? "(no output)" : `${heading}\`\`\`\n${output}\n\`\`\``
  const end = run.cancelled ? [cancelled] : run.exitCode ? [`${exited} ${run.exitCode}`] : []
  const truncation =
    isJsonObject(run.meta) && isJsonObject(run.meta.truncation) ? truncationNote(run.meta.truncation) : []
  return [`Ran ${what}\n${shown}`, ...end, ...truncation, ...notes].join("\n\n")
}

/** Which part of the output is there, and where the rest is. */
function truncationNote(truncation: JsonObject): string[] {
  const { shownRange, totalLines, outputLines, truncatedBy, nextOffset, artifactId } = truncation
  const range = isJsonObject(shownRange) && Number(shownRange.end) >= Number(shownRange.start) ? shownRange : undefined
  const shown = range
    ? `Showing lines ${range.start}-${range.end} of ${totalLines}`
    : `Showing ${outputLines} of ${totalLines} lines`
  const bytes = truncatedBy === "bytes" ? (truncation.maxBytes ?? truncation.outputBytes) : undefined
  const limit = typeof bytes === "number" ? ` (${sizeOf(bytes)} limit)` : ""
  const next = typeof nextOffset === "number" ? `. Use sel=L${nextOffset} to continue` : ""
  const rest = artifactId === undefined || artifactId === null ? "" : `. Read artifact://${artifactId} for full output`
  return [`[${shown}${limit}${next}${rest}]`]
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"]
  return `${size.toFixed(1)}${unit}`
}

/** Real files have messages without these fields, or with values of other types in them. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
