import { documentIn } from "@treelog/session-core/adapter"
import {
  blocksOf,
  cleanTabbed,
  documentLabel,
  type Fields,
  fencedCode,
  imageIn,
  withoutLastLineEnds,
} from "@treelog-internal/text"
import type { JSX } from "preact"
import { lineWithoutMarkdown, readableLine } from "../../text/readable-text.js"
import { Icon } from "../controls/icons.js"
import { plural } from "../format-values.js"
import { Fold, type PartProps } from "./fold.js"
import { JsonView, LongText } from "./long-text.js"
import { MarkdownText } from "./markdown-text.js"
import { Picture } from "./picture.js"

/** The format of texts: as typed, Markdown, or output of a program. */
export type TextForm = "typed" | "markdown" | "output"

export interface BlocksProps {
  readonly ordinal: number
  readonly content: unknown
  readonly as: TextForm
  readonly language?: string | undefined
}

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

type FoundDocument = NonNullable<ReturnType<typeof documentIn>>

interface DocumentBlockProps extends PartProps {
  readonly document: FoundDocument
}

/** A document in a message: its kind, name and size, and its text where it has one. Other bytes are not shown. */
function DocumentBlock({ ordinal, part, document }: DocumentBlockProps): JSX.Element {
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

function Thinking({ ordinal, part, block }: PartProps & { readonly block: Fields }): JSX.Element | null {
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

/** Code between backticks, in one line. */
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)([^\n]*?[^`\n])\1(?!`)/g

/** The text of a user as typed, with code between backticks, and highlighted code in fences. */
function UserText({ text }: { readonly text: string }): JSX.Element {
  const parts: JSX.Element[] = []
  let from = 0
  const plain = (to: number): void => {
    let start = from
    while (text[start] === "\n") start += 1
    const part = withoutLastLineEnds(text.slice(start, to))
    if (part.trim() !== "")
      parts.push(
        <p class="typed" key={from} dir="auto">
          {withInlineCode(cleanTabbed(part))}
        </p>,
      )
  }
  for (const code of fencedCode(text)) {
    if (code.to === undefined) break
    plain(code.from)
    parts.push(<MarkdownText key={`code ${code.from}`} text={text.slice(code.from, code.to)} />)
    from = code.to
  }
  plain(text.length)
  return <>{parts}</>
}

function withInlineCode(text: string): (JSX.Element | string)[] {
  const parts: (JSX.Element | string)[] = []
  let from = 0
  for (const { 0: whole, 2: code = "", index } of text.matchAll(INLINE_CODE)) {
    parts.push(text.slice(from, index), <code key={index}>{withoutEdges(code)}</code>)
    from = index + whole.length
  }
  return [...parts, text.slice(from)]
}

/** Without the spaces that separate backticks at an end of the code from those around it. */
function withoutEdges(code: string): string {
  return code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code
}
