import { cleanTabbed, fencedCode, withoutLastLineEnds } from "@treelog-internal/text"
import type { JSX } from "preact"
import { MarkdownText } from "./markdown-text.js"

/** Code between backticks, in one line. */
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)([^\n]*?[^`\n])\1(?!`)/g

/** The text of a user as typed, with code between backticks, and highlighted code in fences. */
export function UserText({ text }: { readonly text: string }): JSX.Element {
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
