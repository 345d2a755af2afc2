/** A text in lower case, for comparing. Characters keep their positions: one whose lower case is longer is not changed. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/./gsu, (character) => {
    const small = character.toLowerCase()
    return small.length === character.length ? small : character
  })
}
