/** How a text is meant: as typed by a person, or as Markdown. */
export type TextForm = "typed" | "markdown"

/**
 * A text as Markdown that shows all of it and ends with itself: outside of code, tags and comments of HTML are text; no block of code
 * stays open. Of a typed text, the rest is as typed, too: its lines, and signs that would be emphasis, headings or links.
 * Follows the blocks of CommonMark, since tags within code are written as they are.
 */
export function readableMarkdown(text: string, form: TextForm): string {
  const blocks = new Blocks(form)
  for (const line of text.trimEnd().split("\n")) blocks.push(line)
  return `${blocks.end().join("\n")}\n`
}

/** A list item, by how far its content is indented, or a quote. */
type Container = number | "quote"

const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))( +|$)/
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/
const HEADING = /^ {0,3}#{1,6}(?: |$)/
const RULE = /^ {0,3}([-_*])(?: *\1){2,} *$/
/** Makes a heading of the paragraph above it. */
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/
/** Quotes and lists within one another. */
const DEEPEST = 50

class Blocks {
  readonly #form: TextForm
  readonly #lines: string[] = []
  readonly #containers: Container[] = []
  /** The fence of the block of code that is open, in the innermost container. */
  #fence = ""
  /** The lines of the paragraph that is open: what its containers begin with, and its text. */
  #paragraph: { readonly before: string; readonly text: string }[] = []

  constructor(form: TextForm) {
    this.#form = form
  }

  push(line: string): void {
    const { at: within, count } = this.#continued(line)
    const isWithinAll = count === this.#containers.length
    if (this.#fence !== "" && isWithinAll) {
      this.#pushCode(line, within)
      return
    }
    this.#fence = ""
    const opened = this.#opened(line, within, isWithinAll)
    const at = opened.at(-1)?.to ?? within
    const text = line.slice(at)
    const isParagraph = this.#paragraph.length > 0 && opened.length === 0
    // A line that only lacks the signs of its containers continues the paragraph.
    if (!isWithinAll && !(isParagraph && this.#isProse(text))) {
      this.#endParagraph()
      this.#containers.length = count
    }
    if (opened.length > 0) this.#endParagraph()
    this.#containers.push(...opened.map(({ container }) => container))
    this.#pushText(line.slice(0, at), text)
  }

  /** The lines, with a fence that closes what is open. */
  end(): string[] {
    this.#endParagraph()
    if (this.#fence !== "") {
      const before = this.#containers.map((container) => (container === "quote" ? "> " : " ".repeat(container)))
      this.#lines.push(before.join("") + this.#fence)
    }
    return this.#lines
  }

  /** How many containers a line continues, and where its text begins. */
  #continued(line: string): { at: number; count: number } {
    let [at, count] = [0, 0]
    for (const container of this.#containers) {
      const rest = line.slice(at)
      const indent = rest.length - rest.trimStart().length
      if (container === "quote") {
        const [sign] = QUOTE.exec(rest) ?? []
        if (sign === undefined) break
        at += sign.length
      } else {
        if (indent < container && rest.trim() !== "") break
        at += Math.min(container, rest.length)
      }
      count += 1
    }
    return { at, count }
  }

  /** The containers that a line opens, and where each begins its text. */
  #opened(line: string, from: number, isWithinAll: boolean): { container: Container; to: number }[] {
    const opened: { container: Container; to: number }[] = []
    for (let at = from; ; ) {
      const rest = line.slice(at)
      const [quote] = QUOTE.exec(rest) ?? []
      const [, sign = "", spaces = ""] = ITEM.exec(rest) ?? []
      const isEmpty = rest.length === sign.length + spaces.length
      // Within a paragraph, only these begin a list.
      const interrupts = !isEmpty && /^ *(?:[-+*]|1[.)])$/.test(sign)
      const isWithinParagraph = isWithinAll && opened.length === 0 && this.#paragraph.length > 0
      const isDeepest = this.#containers.length + opened.length >= DEEPEST
      if (isDeepest || (quote === undefined && (sign === "" || RULE.test(rest) || (isWithinParagraph && !interrupts))))
        return opened
      const indent = sign.length + (isEmpty || spaces.length > 4 ? 1 : spaces.length)
      at += quote?.length ?? Math.min(indent, rest.length)
      opened.push({ container: quote === undefined ? indent : "quote", to: at })
    }
  }

  #pushCode(line: string, at: number): void {
    this.#lines.push(line)
    const text = line.slice(at).trim()
    const isFence = line.slice(at).search(/\S/) < 4 && text.startsWith(this.#fence)
    if (isFence && text === (text[0] ?? "").repeat(text.length)) this.#fence = ""
  }

  #pushText(before: string, text: string): void {
    const fence = FENCE.exec(text)
    const isCode = text.startsWith("    ") && this.#paragraph.length === 0
    if (text.trim() === "" || isCode || fence) {
      this.#endParagraph()
      this.#fence = fence?.[1] ?? fence?.[2] ?? ""
      this.#lines.push(before + text)
    } else if (this.#isProse(text)) this.#paragraph.push({ before, text })
    else {
      // A heading, whose text is a line of its own, or the line under one.
      const isLine = !HEADING.test(text)
      this.#endParagraph()
      if (isLine) this.#lines.push(before + text)
      else this.#paragraph.push({ before, text })
      this.#endParagraph()
    }
  }

  /** Whether a line continues the paragraph that is open, or begins one. */
  #isProse(text: string): boolean {
    if (text.trim() === "" || FENCE.test(text)) return false
    if (this.#form === "typed") return true
    return !HEADING.test(text) && !RULE.test(text) && !(this.#paragraph.length > 0 && UNDERLINE.test(text))
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph
    this.#paragraph = []
    const isTable = paragraph.some((line) => isDelimiters(line.text))
    const text = paragraph.map((line) => line.text).join("\n")
    // No code of a table is longer than its cell.
    const parts = isTable ? text.split(/(\n|(?<!\\)\|)/) : [text]
    const lines = parts
      .map((part) => escapedText(part, this.#form))
      .join("")
      .split("\n")
    for (const [index, { before }] of paragraph.entries()) {
      // A tag at the beginning of a line is one even within code.
      const line = (lines[index] ?? "").replace(TAG_FIRST, "$&\\")
      const isLast = index === paragraph.length - 1
      this.#lines.push(before + (this.#form === "typed" ? typedLine(line, isTable || isLast) : line))
    }
  }
}

/** Whether a line is like the one below the head of a table. */
function isDelimiters(line: string): boolean {
  return /^[ |:-]+$/.test(line) && line.includes("-") && /[|:]/.test(line)
}

/** A line that is no heading, and ends where it ends. */
function typedLine(line: string, isLast: boolean): string {
  const isMarkup = HEADING.test(line) || RULE.test(line) || UNDERLINE.test(line)
  return (isMarkup ? line.replace(/\S/, "\\$&") : line) + (isLast ? "" : "  ")
}

/** Escapes a text between pieces of code, which it leaves. */
function escapedText(text: string, form: TextForm): string {
  if (form === "markdown" && !text.includes("<")) return text
  const escaped = (part: string): string => part.replace(form === "typed" ? TYPED : MARKDOWN, escapedSign)
  const pieces: string[] = []
  const missing = new Set<number>()
  let from = 0
  const run = form === "typed" ? /`+/g : /\\[\s\S]|`+/g
  for (let found = run.exec(text); found; found = run.exec(text)) {
    const [{ length }] = found
    if (found[0].startsWith("\\") || missing.has(length)) continue
    const to = endOfRun(text, run.lastIndex, length)
    if (to === undefined) missing.add(length)
    else {
      pieces.push(escaped(text.slice(from, found.index)), text.slice(found.index, to))
      from = run.lastIndex = to
    }
  }
  return pieces.join("") + escaped(text.slice(from))
}

/** The end of the next run of so many backticks. */
function endOfRun(text: string, from: number, length: number): number | undefined {
  const run = /`+/g
  run.lastIndex = from
  for (let found = run.exec(text); found; found = run.exec(text)) if (found[0].length === length) return run.lastIndex
  return undefined
}

const TAG_FIRST = /^ {0,3}(?=<[A-Za-z/!?])(?!<(?:https?:\/\/|mailto:))/
/** What stays (an escaped sign, a link such as `<https://example.org>`), or what begins a tag or a comment. */
const MARKDOWN = /\\[\s\S]|<(?:https?:\/\/|mailto:)[^\s<>`\\]*>|<(?=[A-Za-z/!?])/g
/** What stays (an address, a link), or a sign that is markup where it is. */
const TYPED =
  /<?(?:https?:\/\/|mailto:)[^\s<>`]+>?|<(?=[A-Za-z/!?])|\\(?=[!-/:-@[-`{-~\n]|$)|&(?=#?\w+;)|\*(?=\S)|(?<=\S)[*~]|~(?=~)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\](?=[([:])/gu

function escapedSign(found: string): string {
  return found.length === 1 ? `\\${found}` : found
}
