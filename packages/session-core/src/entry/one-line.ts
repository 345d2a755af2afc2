/** Escape sequences of terminals, whole: CSI (colours, cursor), OSC (titles, links), and those of two characters. Linear. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]/g

const BREAKS = /[\t-\r\x85\u2028\u2029]+/g

/** A name is a line of text: escape sequences and control characters go, line breaks and tabs become a blank. */
export function oneLine(text: string): string {
  return text
    .replace(SEQUENCES, "")
    .replace(BREAKS, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
}
