import type { documentIn } from "@treelog/session-core/adapter"
import { documentLabel } from "@treelog-internal/text"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { Icon } from "../icons.js"
import { Fold, type PartProps } from "./fold.js"
import { LongText } from "./long-text.js"

type FoundDocument = NonNullable<ReturnType<typeof documentIn>>

export interface DocumentBlockProps extends PartProps {
  readonly document: FoundDocument
}

/** A document in a message: its kind, name and size, and its text where it has one. Other bytes are not shown. */
export function DocumentBlock({ ordinal, part, document }: DocumentBlockProps): JSX.Element {
  const label = readableLine(documentLabel(document).slice(1, -1), 200)
  const { text } = document
  if (text === undefined) {
    return (
      <p class="no-picture">
        <Icon name="note" />
        <bdi>{label}</bdi>
      </p>
    )
  }
  return (
    <Fold
      ordinal={ordinal}
      part={part}
      class="other"
      title={<bdi>{label}</bdi>}
      content={() => <LongText ordinal={ordinal} part={part} text={text} />}
    />
  )
}
