import { blocksOf, type Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import type { SeenMessage } from "../../session/model-context.js"
import { toolCallOf } from "../../session/tool-call.js"
import { readableLine } from "../../text/readable-text.js"
import { Block } from "../block/blocks.js"
import type { PartProps } from "../block/fold.js"
import { JsonView } from "../block/long-text.js"
import { Icon, type IconName } from "../controls/icons.js"
import { tokensText } from "../format-values.js"
import { useViewer } from "../state/viewer-context.js"

const ROLE_ICONS: Readonly<Record<string, IconName>> = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool",
  system: "system",
  developer: "system",
}

export interface ContextMessageProps {
  readonly seen: SeenMessage
  /** Its number, from 1. */
  readonly row: number
  readonly count: number
}

/** A message as the model gets it, without formatting. */
export function ContextMessage({ seen, row, count }: ContextMessageProps): JSX.Element {
  const viewer = useViewer()
  const { ordinal = -1 } = seen
  const message = seen.message as unknown as Fields
  const role = readableLine(message.role, 40)
  const toEntry = (): void => {
    viewer.goTo(ordinal)
    viewer.setView("transcript")
  }
  return (
    <article
      class="entry seen"
      tabIndex={-1}
      aria-posinset={row}
      aria-setsize={count}
      aria-labelledby={`seen-${row}`}
      data-speaker={role}
    >
      <div class="entry-body">
        <header class="entry-head">
          <Icon name={ROLE_ICONS[role] ?? "custom"} />
          <h2 class="who" id={`seen-${row}`}>
            {role}
          </h2>
          {typeof message.toolName === "string" && (
            <span class="badge quiet">{readableLine(message.toolName, 60)}</span>
          )}
          <span class="entry-facts">
            <span class="spent">about {tokensText(seen.tokens)} tokens</span>
            {ordinal >= 0 && (
              <button type="button" class="text-button" onClick={toEntry}>
                Entry
              </button>
            )}
          </span>
        </header>
        {blocksOf(message.content).map((block, index) => (
          <SeenBlock key={`${row} ${index}`} ordinal={ordinal} part={`seen ${index}`} block={block} />
        ))}
        {blocksOf(message.content).length === 0 && <p class="faint nothing">(no content)</p>}
      </div>
    </article>
  )
}

function SeenBlock({ ordinal, part, block }: PartProps & { readonly block: Fields }): JSX.Element {
  const call = toolCallOf(block)
  if (!call) return <Block ordinal={ordinal} part={part} block={block} as="output" />
  return (
    <div class="seen-call">
      <p>
        <Icon name="tool" /> <code>{call.name}</code>
      </p>
      <JsonView ordinal={ordinal} part={part} value={call.arguments} />
    </div>
  )
}
