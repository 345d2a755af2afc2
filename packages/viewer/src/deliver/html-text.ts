const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Control characters, line separators and bidirectional controls. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes a text for HTML text or an attribute value, as one line. */
export function htmlText(text: string): string {
  return text.replace(CONTROLS, " ").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
}
