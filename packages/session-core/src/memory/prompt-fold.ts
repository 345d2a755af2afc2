const PLAIN = /^[\t-\r\x20-\x7e]*$/
/** Half characters, and the one that ends a text for programs in C. */
const NOT_TEXT = /[\p{Cs}\0]/gu
const CONTROLS = /\p{Cc}/gu
/**
 * The marks that alphabets put on letters, and the selectors of variants. Marks that make another letter (が, ि)
 * stay.
 */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]/gu

/** The text as a history keeps it: trimmed, and of whole characters. */
export function normalizePrompt(text: string): string {
  return text.replace(NOT_TEXT, "\ufffd").trim()
}

/**
 * The text with its case, accents and width gone: what a search compares (FORMAT.md, section 10). A control character
 * becomes a space.
 */
export function foldPrompt(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .replace(NOT_TEXT, "\ufffd")
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replace(MARKS, "")
    .replaceAll("ς", "σ")
    .replace(CONTROLS, " ")
    .normalize("NFC")
}
