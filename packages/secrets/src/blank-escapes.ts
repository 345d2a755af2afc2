/**
 * Puts spaces in the place of the escape sequences for white space that a text within a text has (`\n`, `\\n`): else the letter
 * would count as the beginning of the word behind it. An escaped slash becomes two. Nothing moves.
 */
export function blankEscapes(text: string): string {
  if (!text.includes("\\")) return text
  return text.replace(/\\{1,16}[nrtbf/]/g, (found) => (found.endsWith("/") ? "/" : " ").repeat(found.length))
}
