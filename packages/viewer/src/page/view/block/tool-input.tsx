import { fileChangeOf, filePathIn, languageOfPath } from "@treelog/session-core/adapter"
import type { JSX } from "preact"
import { textIn } from "../../session/fields.js"
import type { ToolCall } from "../../session/tool-call.js"
import { DiffView } from "./diff-view.js"
import type { PartProps } from "./fold.js"
import { JsonView } from "./json-view.js"
import { LongText } from "./long-text.js"

export interface ToolInputProps extends PartProps {
  readonly call: ToolCall
  /** The `details` of the tool result. */
  readonly details: unknown
}

/** The arguments of a tool call: a change as a diff, a file or a command as text, anything else as JSON. */
export function ToolInput({ ordinal, part, call, details }: ToolInputProps): JSX.Element | null {
  const args = call.arguments
  const command = textIn(args.command) ?? textIn(args.cmd)
  // The changes of a command are not its arguments.
  const change = fileChangeOf(args, command === undefined ? details : undefined)
  if (change?.kind === "edit") return <DiffView ordinal={ordinal} part={`${part} in`} lines={change.diff} />
  if (change) {
    const language = languageOfPath(change.path)
    return <LongText ordinal={ordinal} part={`${part} in`} text={change.content} language={language} />
  }
  if (command) return <LongText ordinal={ordinal} part={`${part} in`} text={command} language="bash" />
  const names = Object.keys(args)
  // The line above shows the path already.
  if (names.length === 0 || (names.length === 1 && filePathIn(args) !== undefined)) return null
  return <JsonView ordinal={ordinal} part={`${part} in`} value={args} />
}
