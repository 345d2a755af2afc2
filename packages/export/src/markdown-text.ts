import { withoutLastLineEnds } from "@treelog-internal/text"

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

/** Results, and instructions for the model, of at most so many lines are not folded. */
export const FEW_LINES = 6

/** A part that the reader can open and close. */
export function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? " open" : ""}>\n<summary>${htmlText(summary)}</summary>\n\n${body.trimEnd()}\n\n</details>\n`
}

function longestRun(text: string, character: string): number {
  let longest = 0
  for (const [run] of text.matchAll(new RegExp(`${character}+`, "g"))) longest = Math.max(longest, run.length)
  return longest
}
