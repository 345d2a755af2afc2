import { fileChangeOf, filePathIn, languageOfPath } from "@treelog/session-core/adapter"
import type { JSX } from "preact"
import { textIn } from "../../session/fields.js"
import type { ToolCall } from "../../session/tool-call.js"
import { DiffView } from "./diff-view.js"
import { JsonView } from "./json-view.js"
import { LongText } from "./long-text.js"

export interface ToolInputProps {
  readonly ordinal: number
  readonly part: string
  readonly call: ToolCall
  /** What the tool noted beside its result. */
  readonly details: unknown
}

/** What a tool was asked: a change as a diff, a file as a file, a command as a command, anything else as it is stored. */
export function ToolInput({ ordinal, part, call, details }: ToolInputProps): JSX.Element | null {
  const given = call.arguments
  const command = textIn(given.command) ?? textIn(given.cmd)
  // What a command changed is not what was asked.
  const change = fileChangeOf(given, command === undefined ? details : undefined)
  if (change?.kind === "edit") return <DiffView ordinal={ordinal} part={`${part} in`} lines={change.diff} />
  if (change) {
    const language = languageOfPath(change.path)
    return <LongText ordinal={ordinal} part={`${part} in`} text={change.content} language={language} />
  }
  if (command) return <LongText ordinal={ordinal} part={`${part} in`} text={command} language="bash" />
  const names = Object.keys(given)
  // The line above says it already.
  if (names.length === 0 || (names.length === 1 && filePathIn(given) !== undefined)) return null
  return <JsonView ordinal={ordinal} part={`${part} in`} value={given} />
}
