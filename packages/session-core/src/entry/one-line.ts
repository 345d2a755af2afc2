/** Whole escape sequences of terminals: CSI (colours, cursor), OSC (titles, links), and those of two characters. Linear time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]/g

const BREAKS = /[\t-\r\x85\u2028\u2029]+/g

/** The text as one line: removes escape sequences and control characters, and replaces line breaks and tabs by a space. */
export function oneLine(text: string): string {
  return text
    .replace(SEQUENCES, "")
    .replace(BREAKS, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
}
