/** Thinking as text, for those who cannot take it as what it is. */
export function thinkingText(thinking: string): string {
  return `<thinking>\n${thinking}\n</thinking>`
}
