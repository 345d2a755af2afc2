import { filePathIn, languageOfPath } from "@treelog/session-core/adapter"
import { blocksOf, type Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import { callSubject, type ToolCall } from "../../session/tool-call.js"
import { readableLine } from "../../text/readable-text.js"
import { Block } from "./blocks.js"
import { Fold, type PartProps } from "./fold.js"

export interface ToolResultProps extends PartProps {
  readonly message: Fields
  readonly call: ToolCall | undefined
  /** Whether it is collapsible, where it is shown without its call. */
  readonly isFolded?: boolean
}

export function ToolResult({ ordinal, part, message, call, isFolded = false }: ToolResultProps): JSX.Element {
  if (!isFolded) return <ResultContent ordinal={ordinal} part={part} message={message} call={call} />
  const name = call?.name ?? (readableLine(message.toolName, 80) || "tool")
  const failed = message.isError === true
  return (
    <Fold
      ordinal={ordinal}
      part={part}
      class={`tool ${failed ? "failed" : "done"}`}
      icon={failed ? "cross" : "check"}
      title={name}
      subject={call ? callSubject(call) : firstLine(message)}
      content={() => <ResultContent ordinal={ordinal} part={part} message={message} call={call} />}
    />
  )
}

/** Tools that return the content of a file. */
const READS = /^(?:read|view|open|cat)/i

function ResultContent({ ordinal, part, message, call }: Omit<ToolResultProps, "isFolded">): JSX.Element {
  const isFile = call !== undefined && message.isError !== true && READS.test(call.name)
  const path = isFile ? filePathIn(call.arguments) : undefined
  const blocks = blocksOf(message.content)
  return (
    <div class="result" data-entry={ordinal} data-failed={message.isError === true}>
      {blocks.length === 0 && <p class="faint nothing">(no output)</p>}
      {blocks.map((block, index) => (
        <Block
          key={`${part} ${index}`}
          ordinal={ordinal}
          part={`${part} ${index}`}
          block={block}
          as="output"
          language={path === undefined ? undefined : languageOfPath(path)}
        />
      ))}
    </div>
  )
}

function firstLine(message: Fields): string {
  const text = blocksOf(message.content).find((block) => block.type === "text")?.text
  return readableLine(text, 140)
}
