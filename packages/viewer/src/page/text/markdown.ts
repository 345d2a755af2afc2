import { cleanTabbed } from "@treelog-internal/text"
import { Marked } from "marked"
import { cleanMarkdown } from "./clean-html.js"

/** Longer texts are shown without Markdown, since parsing takes time. Characters. */
const LONGEST = 200_000

/** A Markdown text as elements for the page; undefined if it is better shown as plain text. */
export function markdownFragment(text: string): DocumentFragment | undefined {
  if (text.length > LONGEST) return undefined
  const html = htmlOf(cleanTabbed(text))
  return html === undefined ? undefined : cleanMarkdown(html)
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // HTML tags are shown as text.
    html: ({ text, block }) => (block ? `<p class="tags">${escaped(text)}</p>` : escaped(text)),
    // One level below the headings of the page.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    code: ({ text, lang }) => {
      const language = /^[\w+#.-]+/.exec(lang ?? "")?.[0]
      return `<pre><code${language ? ` class="language-${language}"` : ""}>${escaped(text)}</code></pre>`
    },
    // Nothing is loaded: an image becomes a link.
    image: ({ href, text }) =>
      `<span class="far-picture">picture: <a href="${escaped(href)}">${escaped(text || href)}</a></span>`,
    checkbox: ({ checked }) => `<span class="box">${checked ? "☑" : "☐"}</span> `,
  },
})

function htmlOf(text: string): string | undefined {
  try {
    return marked.parse(text) as string
  } catch (error) {
    // Quotes are nested too deeply.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
}
