/** Thinking as plain text, for models that cannot get it as thinking. */
export function thinkingText(thinking: string): string {
  return `<thinking>\n${thinking}\n</thinking>`
}
