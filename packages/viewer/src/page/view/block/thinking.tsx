import type { Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import { lineWithoutMarkdown } from "../../text/readable-text.js"
import { plural } from "../format-values.js"
import { Fold, type PartProps } from "./fold.js"
import { MarkdownText } from "./markdown-text.js"

export function Thinking({ ordinal, part, block }: PartProps & { readonly block: Fields }): JSX.Element | null {
  const text = typeof block.thinking === "string" ? block.thinking : ""
  if (text.trim() === "") return <p class="faint nothing">Thinking hidden by the provider</p>
  const words = text.trim().split(/\s+/).length
  return (
    <Fold
      ordinal={ordinal}
      part={part}
      class="thinking"
      icon="thinking"
      title="Thinking"
      subject={lineWithoutMarkdown(text, 140)}
      fact={plural(words, "word")}
      content={() => <MarkdownText text={text} />}
    />
  )
}
