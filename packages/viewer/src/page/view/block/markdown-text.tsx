import { cleanTabbed } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { highlighted } from "../../text/highlight.js"
import { markdownFragment } from "../../text/markdown.js"

export function MarkdownText({ text }: { readonly text: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fragment = markdownFragment(text)
    if (fragment) dressCode(fragment)
    place.current?.replaceChildren(fragment ?? plainText(text))
    if (place.current) letScroll(place.current)
  }, [text])
  return <div class="prose" ref={place} />
}

function plainText(text: string): HTMLElement {
  const pre = document.createElement("pre")
  pre.className = "plain"
  pre.textContent = cleanTabbed(text)
  return pre
}

/** Highlights code blocks, and adds a button that copies them. */
function dressCode(fragment: DocumentFragment): void {
  for (const code of fragment.querySelectorAll("pre > code")) {
    const text = code.textContent ?? ""
    const language = /language-(\S+)/.exec(code.className)?.[1]
    const colours = highlighted(text.replace(/\n$/, ""), language)
    if (colours) code.replaceChildren(colours)
    const pre = code.parentElement
    if (!pre) continue
    const box = document.createElement("div")
    box.className = "code"
    pre.replaceWith(box)
    box.append(codeHead(language, text), pre)
  }
}

function codeHead(language: string | undefined, text: string): HTMLElement {
  const head = document.createElement("div")
  head.className = "code-head"
  const name = document.createElement("span")
  name.textContent = language ?? "text"
  const copy = document.createElement("button")
  copy.type = "button"
  copy.className = "text-button"
  copy.textContent = "Copy"
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text)
    copy.textContent = "Copied"
    setTimeout(() => {
      copy.textContent = "Copy"
    }, 1_500)
  })
  head.append(name, copy)
  return head
}

function letScroll(place: HTMLElement): void {
  for (const element of place.querySelectorAll<HTMLElement>("pre, table"))
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
}
