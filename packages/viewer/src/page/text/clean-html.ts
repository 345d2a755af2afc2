import DOMPurify, { type Config } from "dompurify"

/** The elements of Markdown, without anything that loads, runs, or affects the page around it. */
const MARKDOWN = {
  ALLOWED_TAGS: [
    ...["p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "span"],
    ...["em", "strong", "del", "a", "table", "thead", "tbody", "tr", "th", "td"],
  ],
  ALLOWED_ATTR: ["href", "title", "class", "start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

const COLOURS = { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"], RETURN_DOM_FRAGMENT: true } satisfies Config

/** Parses markup and removes everything that is not allowed. */
export function cleanMarkdown(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, MARKDOWN)
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank"
    link.rel = "noopener noreferrer nofollow"
    link.referrerPolicy = "no-referrer"
  }
  for (const block of fragment.querySelectorAll<HTMLElement>(
    "p:not(li > p, blockquote > p), h3, h4, h5, h6, ul, ol, blockquote, th, td",
  ))
    block.dir = "auto"
  return fragment
}

/** Highlighted code as text and spans. */
export function cleanColours(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, COLOURS)
}
