/** A text for comparing without regard to case. Each character keeps its place: one whose lower case is longer stays as it is. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/./gsu, (character) => {
    const small = character.toLowerCase()
    return small.length === character.length ? small : character
  })
}
