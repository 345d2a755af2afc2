import type { PromptIgnoreRules } from "../ports/prompt-history.js"
import { normalizePrompt } from "./prompt-fold.js"

/** The normalized text of a prompt; undefined if it is empty, or ignored by the rules `leadingSpace` and `patterns`. */
export function acceptPrompt(
  text: string,
  { leadingSpace = false, patterns = [] }: PromptIgnoreRules,
): string | undefined {
  if (leadingSpace && text.startsWith(" ")) return undefined
  const kept = normalizePrompt(text)
  // `search` ignores `lastIndex`, which patterns with the flags `g` and `y` keep between two matches.
  if (kept === "" || patterns.some((pattern) => kept.search(pattern) !== -1)) return undefined
  return kept
}

/** The prompts that do not look like they contain a secret, by the rule `secrets`. */
export async function dropSecretPrompts<Kept extends { readonly text: string }>(
  prompts: readonly Kept[],
  { secrets }: PromptIgnoreRules,
): Promise<readonly Kept[]> {
  if (!secrets || prompts.length === 0) return prompts
  const secret = await secrets(prompts.map(({ text }) => text))
  return prompts.filter((_, index) => secret[index] === false)
}
