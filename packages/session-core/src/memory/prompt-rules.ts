import type { PromptIgnoreRules } from "../ports/prompt-history.js"
import { normalizePrompt } from "./prompt-fold.js"

/** The text to keep of a prompt; undefined where it is empty, or ignored by a rule that needs no waiting. */
export function acceptPrompt(
  text: string,
  { leadingSpace = false, patterns = [] }: PromptIgnoreRules,
): string | undefined {
  if (leadingSpace && text.startsWith(" ")) return undefined
  const kept = normalizePrompt(text)
  // A pattern with the flag `g` or `y` keeps a place between two matches; `search` does not use it.
  if (kept === "" || patterns.some((pattern) => kept.search(pattern) !== -1)) return undefined
  return kept
}

/** The prompts that do not look like they hold a secret. */
export async function dropSecretPrompts<Kept extends { readonly text: string }>(
  prompts: readonly Kept[],
  { secrets }: PromptIgnoreRules,
): Promise<readonly Kept[]> {
  if (!secrets || prompts.length === 0) return prompts
  const secret = await secrets(prompts.map(({ text }) => text))
  return prompts.filter((_, index) => secret[index] === false)
}
