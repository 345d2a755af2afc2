import { cleanTabbed } from "@treelog-internal/text"
import type { JSX } from "preact"
import { MarkdownText } from "./markdown-text.js"

const FENCE = /^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$/gm

/** Code between backticks, in one line. */
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)([^\n]*?[^`\n])\1(?!`)/g

/** The text of a user as typed, with code between backticks, and highlighted code in fences. */
export function UserText({ text }: { readonly text: string }): JSX.Element {
  const parts: JSX.Element[] = []
  let from = 0
  const plain = (to: number): void => {
    const part = text.slice(from, to).replace(/^\n+|\n+$/g, "")
    if (part !== "")
      parts.push(
        <p class="typed" key={from} dir="auto">
          {withInlineCode(cleanTabbed(part))}
        </p>,
      )
  }
  for (const fence of text.length > 100_000 ? [] : text.matchAll(FENCE)) {
    plain(fence.index)
    parts.push(<MarkdownText key={`code ${fence.index}`} text={fence[0]} />)
    from = fence.index + fence[0].length
  }
  plain(text.length)
  return <>{parts}</>
}

function withInlineCode(text: string): (JSX.Element | string)[] {
  const parts: (JSX.Element | string)[] = []
  let from = 0
  for (const { 0: whole, 2: code = "", index } of text.matchAll(INLINE_CODE)) {
    parts.push(text.slice(from, index), <code key={index}>{code.replace(/^ (.*[^ ].*) $/, "$1")}</code>)
    from = index + whole.length
  }
  return [...parts, text.slice(from)]
}
