/** SQLite's texts have no NUL, and no halves of characters. */
export function storableText(text: string): string {
  return text.replace(/[\p{Cs}\0]/gu, "\ufffd")
}
