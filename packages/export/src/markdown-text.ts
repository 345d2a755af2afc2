/** Escapes all markup. */
export function plainText(text: string): string {
  return text.replace(/[\\`*_[\]<>#&|~]/g, "\\$&")
}

/** Text within tags of HTML. */
export function htmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/** A piece of code in a line, whatever backticks it holds. */
export function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text, "`") + 1)
  const room = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return `${fence}${room}${text}${room}${fence}`
}

/** A block of code, whose fence is longer than any that it holds. */
export function codeBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, "`") + 1))
  return `${fence}${language}\n${withoutLastLineEnds(text)}\n${fence}\n`
}

/** Without the line ends at its end. A pattern would read each run of them within the text many times. */
export function withoutLastLineEnds(text: string): string {
  let to = text.length
  while (text[to - 1] === "\n") to -= 1
  return text.slice(0, to)
}

/** A part that the reader can open and close. */
export function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? " open" : ""}>\n<summary>${htmlText(summary)}</summary>\n\n${body.trimEnd()}\n\n</details>\n`
}

/** Closes blocks of code that a message left open, so that what follows is not part of them. */
export function closedMarkdown(text: string): string {
  let open: string | undefined
  for (const [, fence = "", rest = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === undefined) open = fence
    else if (fence[0] === open[0] && fence.length >= open.length && rest.trim() === "") open = undefined
  }
  return `${text.trimEnd()}${open === undefined ? "" : `\n${open}`}\n`
}

function longestRun(text: string, character: string): number {
  let longest = 0
  for (const [run] of text.matchAll(new RegExp(`${character}+`, "g"))) longest = Math.max(longest, run.length)
  return longest
}
