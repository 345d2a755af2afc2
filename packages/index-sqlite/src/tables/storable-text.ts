const NO_TEXT = /[\p{Cs}\0]/gu
/** Surrogates of any kind: this pattern is tested faster, and most texts have none. */
const MAY_BE_NO_TEXT = /[\ud800-\udfff\0]/

/** SQLite's texts have no NUL, and no halves of characters. */
export function storableText(text: string): string {
  return MAY_BE_NO_TEXT.test(text) ? text.replace(NO_TEXT, "\ufffd") : text
}
