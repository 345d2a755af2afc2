import { cleanTabbed } from "@treelog-internal/text"
import type { JSX } from "preact"
import { MarkdownText } from "./markdown-text.js"

const FENCE = /^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$/gm

/** The text of a user as typed, with highlighted code in fences. */
export function UserText({ text }: { readonly text: string }): JSX.Element {
  const parts: JSX.Element[] = []
  let from = 0
  const plain = (to: number): void => {
    const part = text.slice(from, to).replace(/^\n+|\n+$/g, "")
    if (part !== "")
      parts.push(
        <p class="typed" key={from} dir="auto">
          {cleanTabbed(part)}
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
