import type { JSX } from "preact"
import { type Fields, isFields, textIn } from "../../session/fields.js"
import type { ToolCall } from "../../session/tool-call.js"
import { languageOfPath } from "../../text/highlight.js"
import { type DiffLine, lineDiff, looksLikeDiff, parseDiff } from "../../text/line-diff.js"
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

/** What a tool was asked: a command as a command, a change as a diff, a file as a file, anything else as it is stored. */
export function ToolInput({ ordinal, part, call, details }: ToolInputProps): JSX.Element | null {
  const given = call.arguments
  const command = textIn(given.command) ?? textIn(given.cmd)
  if (command) return <LongText ordinal={ordinal} part={`${part} in`} text={command} language="bash" />
  const diff = storedDiff(details) ?? givenDiff(given)
  if (diff) return <DiffView ordinal={ordinal} part={`${part} in`} lines={diff} />
  const content = textIn(given.content)
  const path = pathIn(given)
  if (content !== undefined && path !== undefined)
    return <LongText ordinal={ordinal} part={`${part} in`} text={content} language={languageOfPath(path)} />
  const names = Object.keys(given)
  // The line above says it already.
  if (names.length === 0 || (names.length === 1 && path !== undefined)) return null
  return <JsonView ordinal={ordinal} part={`${part} in`} value={given} />
}

export function pathIn(given: Fields): string | undefined {
  return textIn(given.path) ?? textIn(given.file_path) ?? textIn(given.filePath)
}

/** As pi's and omp's edit tools note it. */
function storedDiff(details: unknown): DiffLine[] | undefined {
  const diff = isFields(details) ? textIn(details.diff) : undefined
  return diff !== undefined && looksLikeDiff(diff) ? parseDiff(diff) : undefined
}

/** Worked out from the old and the new text of an edit, or of several. */
function givenDiff(given: Fields): DiffLine[] | undefined {
  const edits = Array.isArray(given.edits) ? given.edits.filter(isFields) : [given]
  const diffs = edits.flatMap((edit): DiffLine[][] => {
    const before = edit.oldText ?? edit.old_string ?? edit.old_text
    const after = edit.newText ?? edit.new_string ?? edit.new_text
    return typeof before === "string" && typeof after === "string" ? [lineDiff(before, after)] : []
  })
  return diffs.length === 0 || diffs.length !== edits.length
    ? undefined
    : diffs.flatMap((diff, index) => (index > 0 ? [GAP, ...diff] : diff))
}

const GAP: DiffLine = { kind: "gap", text: "" }
