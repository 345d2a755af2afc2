/** What the model gets in the place of what was summarized. */
export function summaryText(prompts: readonly string[], summary: string): string {
  const before =
    "You were originally given instructions from a user over one or more turns. Here were the user messages:"
  return `Some of the conversation history has been summarized to free up context.\n\n${before}\n${promptsText(prompts)}\nHere is a summary of the prior context:\n<summary>\n${summary}\n</summary>`
}

/** Of prompts that are more or longer than this together (UTF-16 units), Copilot CLI keeps the first and the last. */
const WHOLE = { count: 20, length: 30_000 }
const FIRST = { count: 3, length: 5_999 }
const LAST = { count: 16, length: 24_001 }
const CUT = "...<truncated>..."

function promptsText(prompts: readonly string[]): string {
  const length = prompts.reduce((sum, prompt) => sum + prompt.length, 0)
  if (prompts.length <= WHOLE.count && length <= WHOLE.length) return prompts.map(promptText).join("")
  const first = fitting(prompts, FIRST)
  const last = fitting(prompts.slice(first.length).reverse(), LAST).reverse()
  const omitted = prompts.length - first.length - last.length
  const between = omitted > 0 ? `... ${omitted} messages omitted ...\n` : ""
  return `${first.map(promptText).join("")}${between}${last.map(promptText).join("")}`
}

/** The first of some prompts, as far as they fit; of the very first, what fits. */
function fitting(prompts: readonly string[], { count, length }: typeof WHOLE): string[] {
  const kept: string[] = []
  let left = length
  for (const prompt of prompts.slice(0, count)) {
    if (prompt.length > left && kept.length > 0) break
    kept.push(prompt.length > left ? `${prompt.slice(0, left - CUT.length)}${CUT}` : prompt)
    left -= prompt.length
  }
  return kept
}

function promptText(prompt: string): string {
  return `<user_message>\n${prompt}\n</user_message>\n`
}
