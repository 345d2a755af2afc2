import { isJsonObject, type JsonObject } from "../../entry/json-object.js"
import type { BashExecutionMessage, PythonExecutionMessage } from "../../entry/message.js"

/** The text that a model gets for a command that the user ran (FORMAT.md, section 6). */
export function bashText({ command, output, ...run }: BashExecutionMessage): string {
  const shown = textOf(output) === "" ? "(no output)" : fenced(textOf(output))
  const notes = [
    ...endNotes(run, "(command cancelled)", "Command exited with code"),
    ...(run.truncated && run.fullOutputPath ? [`[Output truncated. Full output: ${run.fullOutputPath}]`] : []),
  ]
  return [`Ran \`${textOf(command)}\`\n${shown}`, ...notes].join("\n\n")
}

/** The same for Python code (omp, xcsh). */
export function pythonText({ code, output, ...run }: PythonExecutionMessage): string {
  const shown = textOf(output) === "" ? "(no output)" : `Output:\n${fenced(textOf(output))}`
  const notes = endNotes(run, "(execution cancelled)", "Execution failed with code")
  return [`Ran Python:\n\`\`\`python\n${textOf(code)}\n\`\`\`\n${shown}`, ...notes].join("\n\n")
}

type Run = Pick<BashExecutionMessage, "cancelled" | "exitCode"> & { readonly meta?: unknown }

function endNotes({ cancelled, exitCode, meta }: Run, cancelledNote: string, exitNote: string): string[] {
  const isFailed = exitCode !== null && exitCode !== undefined && exitCode !== 0
  const end = cancelled ? [cancelledNote] : isFailed ? [`${exitNote} ${exitCode}`] : []
  const truncation = isJsonObject(meta) && isJsonObject(meta.truncation) ? [truncationNote(meta.truncation)] : []
  return [...end, ...truncation]
}

/** Which part of the output is there, and where the rest is. */
function truncationNote(truncation: JsonObject): string {
  const { shownRange, totalLines, outputLines, truncatedBy, nextOffset, artifactId } = truncation
  const range = isJsonObject(shownRange) && Number(shownRange.end) >= Number(shownRange.start) ? shownRange : undefined
  const shown = range
    ? `Showing lines ${range.start}-${range.end} of ${totalLines}`
    : `Showing ${outputLines} of ${totalLines} lines`
  const bytes = truncatedBy === "bytes" ? (truncation.maxBytes ?? truncation.outputBytes) : undefined
  const limit = typeof bytes === "number" ? ` (${sizeOf(bytes)} limit)` : ""
  const next = typeof nextOffset === "number" ? `. Use sel=L${nextOffset} to continue` : ""
  const rest = artifactId === undefined || artifactId === null ? "" : `. Read artifact://${artifactId} for full output`
  return `[${shown}${limit}${next}${rest}]`
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"]
  return `${size.toFixed(1)}${unit}`
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``
}

/** Real files have commands without output or with values of other types. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
