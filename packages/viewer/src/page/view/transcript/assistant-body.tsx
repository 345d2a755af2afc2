import { blocksOf, cleanTabbed, type Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import { textIn } from "../../session/fields.js"
import type { PageSession } from "../../session/page-session.js"
import { toolCallOf } from "../../session/tool-call.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"
import { Block } from "../block/blocks.js"
import { ToolCard } from "../block/tool-card.js"
import { Icon } from "../icons.js"

export interface AssistantBodyProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  readonly message: Fields
}

/** An answer: thinking, text, and tool calls with their results. */
export function AssistantBody({ session, row, message }: AssistantBodyProps): JSX.Element {
  const { stopReason, errorMessage } = message
  return (
    <>
      {blocksOf(message.content).map((block, index) => {
        const part = `block ${index}`
        const call = toolCallOf(block)
        if (!call) return <Block key={part} ordinal={row.ordinal} part={part} block={block} as="markdown" />
        const result = row.results.get(call.id)
        const edit = result === undefined ? undefined : row.edits.get(result)
        return <ToolCard key={part} session={session} ordinal={row.ordinal} {...{ part, call, result, edit }} />
      })}
      {(stopReason === "error" || stopReason === "aborted") && (
        <p class="failure">
          <Icon name="warning" />
          <span>
            {stopReason === "error" ? "The answer failed" : "The answer was aborted"}
            {textIn(errorMessage) !== undefined && `: ${cleanTabbed(errorMessage)}`}
          </span>
        </p>
      )}
    </>
  )
}
