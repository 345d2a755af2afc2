import type { BashExecutionMessage } from "../../entry/message.js"

/** What a model is told of a command that a person ran (FORMAT.md, section 6). */
export function bashText(message: BashExecutionMessage): string {
  const { command, output, cancelled, exitCode, truncated, fullOutputPath } = message
  const lines = [`Ran \`${textOf(command)}\``, textOf(output) === "" ? "(no output)" : `\`\`\`\n${output}\n\`\`\``]
  if (cancelled) lines.push("", "(command cancelled)")
  else if (exitCode !== null && exitCode !== undefined && exitCode !== 0) {
    lines.push("", `Command exited with code ${exitCode}`)
  }
  if (truncated && fullOutputPath) lines.push("", `[Output truncated. Full output: ${fullOutputPath}]`)
  return lines.join("\n")
}

/** Files of the wild hold commands without output, and worse. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
