/** The pairs of neighbours in a word of a script without spaces; the character itself if there is only one. */
export function pairsOf(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => (characters[at] ?? "") + character)
}
