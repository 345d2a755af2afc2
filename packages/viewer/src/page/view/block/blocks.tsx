import { documentIn } from "@treelog/session-core/adapter"
import { blocksOf, type Fields, imageIn } from "@treelog-internal/text"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { DocumentBlock } from "./document-block.js"
import { Fold, type PartProps } from "./fold.js"
import { JsonView } from "./json-view.js"
import { LongText } from "./long-text.js"
import { MarkdownText } from "./markdown-text.js"
import { Picture } from "./picture.js"
import { Thinking } from "./thinking.js"
import { UserText } from "./user-text.js"

/** The format of texts: as typed, Markdown, or output of a program. */
export type TextForm = "typed" | "markdown" | "output"

export interface BlocksProps {
  readonly ordinal: number
  readonly content: unknown
  readonly as: TextForm
  readonly language?: string | undefined
}

/** The content of a message. */
export function Blocks({ ordinal, content, as, language }: BlocksProps): JSX.Element {
  const blocks = blocksOf(content)
  if (blocks.length === 0) return <p class="faint nothing">(nothing)</p>
  return (
    <>
      {blocks.map((block, index) => {
        const part = `block ${index}`
        return <Block key={part} ordinal={ordinal} part={part} block={block} as={as} language={language} />
      })}
    </>
  )
}

export interface BlockProps extends PartProps {
  readonly block: Fields
  readonly as: TextForm
  readonly language?: string | undefined
}

export function Block({ ordinal, part, block, as, language }: BlockProps): JSX.Element | null {
  switch (block.type) {
    case "text": {
      const text = typeof block.text === "string" ? block.text : ""
      if (text.trim() === "") return null
      if (as === "output") return <LongText ordinal={ordinal} part={part} text={text} language={language} />
      return as === "typed" ? <UserText text={text} /> : <MarkdownText text={text} />
    }
    case "thinking":
    case "redactedThinking":
      return <Thinking ordinal={ordinal} part={part} block={block} />
    default: {
      const image = imageIn(block)
      if (image) return <Picture data={image.data} mimeType={image.mimeType} />
      const document = documentIn(block as Parameters<typeof documentIn>[0])
      if (document) return <DocumentBlock ordinal={ordinal} part={part} document={document} />
      return (
        <Fold
          ordinal={ordinal}
          part={part}
          class="other"
          title={readableLine(block.type, 60) || "Block without a type"}
          content={() => <JsonView ordinal={ordinal} part={part} value={block} />}
        />
      )
    }
  }
}
