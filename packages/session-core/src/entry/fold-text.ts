const PLAIN = /^[\t-\r\x20-\x7e]*$/
/** Lone surrogates and NUL. */
const NOT_TEXT = /[\p{Cs}\0]/gu
const CONTROLS = /\p{Cc}/gu
/**
 * Combining diacritics and variation selectors. Combining characters that make a different letter (が, ि) are not included.
 */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]/gu

/** The text without lone surrogates and NUL, which are no text. */
export function replaceNoText(text: string): string {
  return text.replace(NOT_TEXT, "\ufffd")
}

/**
 * The text without differences of case, accents and width, for comparing in searches (FORMAT.md, section 10). Control characters
 * become spaces.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return replaceNoText(text)
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replace(MARKS, "")
    .replaceAll("ς", "σ")
    .replace(CONTROLS, " ")
    .normalize("NFC")
}
