const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Everything that a title or an attribute could be left by, and what steers the reading direction or is no character. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Any text as text or value of an attribute of HTML, in one line. */
export function htmlText(text: string): string {
  return text.replace(CONTROLS, " ").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
}
