import { cleanTabbed, escapeHtml } from "@treelog-internal/text"
import { Lexer, Marked, type Token, type TokensList } from "marked"
import { cleanMarkdown } from "./clean-html.js"

/** Longer texts are shown without Markdown, since parsing takes time. Characters. */
const LONGEST = 200_000

/** A Markdown text as elements for the page; undefined if it is better shown as plain text. */
export function markdownFragment(text: string): DocumentFragment | undefined {
  if (text.length > LONGEST) return undefined
  return cleanMarkdown(markdownHtml(cleanTabbed(text)))
}

/** Not sanitized. */
export function markdownHtml(text: string): string {
  return marked.parser(new BoundedLexer(marked.defaults).lex(text), marked.defaults)
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // HTML tags are shown as text.
    html: ({ text, block }) => (block ? `<p class="tags">${escapeHtml(text)}</p>` : escapeHtml(text)),
    // One level below the headings of the page.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    code: ({ text, lang }) => {
      const language = /^[\w+#.-]+/.exec(lang ?? "")?.[0]
      return `<pre><code${language ? ` class="language-${language}"` : ""}>${escapeHtml(text)}</code></pre>`
    },
    // Nothing is loaded: an image becomes a link.
    image: ({ href, text }) =>
      `<span class="far-picture">picture: <a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a></span>`,
    checkbox: ({ checked }) => `<span class="box">${checked ? "☑" : "☐"}</span> `,
  },
})

/** The most that the marks of a text may cost: the length of each line or paragraph times its marks, together. */
const MOST_WORK = 10_000_000
const MARKS = /[*_~!`<[\\(]/g
/** Quotes and lists within one another. */
const DEEPEST = 40

/**
 * Splits Markdown as `marked` does, whose work grows with the square of the marks in a paragraph and of the depth of quotes: what would
 * take long stays as it is written.
 */
class BoundedLexer extends Lexer {
  #work = 0
  #depth = 0

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    this.#work += src.length * (src.match(MARKS)?.length ?? 0)
    if (this.#work <= MOST_WORK) return super.inlineTokens(src, tokens)
    tokens.push({ type: "text", raw: src, text: src })
    return tokens
  }

  override blockTokens(src: string, tokens: Token[] = [], isLastParagraphClipped?: boolean): TokensList {
    if (this.#depth === DEEPEST) {
      tokens.push({ type: "text", raw: src, text: src })
      return tokens as TokensList
    }
    this.#depth += 1
    const found = super.blockTokens(src, tokens, isLastParagraphClipped)
    this.#depth -= 1
    return found as TokensList
  }
}
