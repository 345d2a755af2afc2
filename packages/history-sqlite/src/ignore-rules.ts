import type { PromptIgnoreRules } from "./prompt.js"

/** Lone surrogates and NUL. */
const NOT_TEXT = /[\p{Cs}\0]/gu

/**
 * The text of a prompt as it is stored: trimmed, without lone surrogates and NUL. Undefined if it is empty, or ignored by the rules
 * `leadingSpace` and `patterns`.
 */
export function acceptPrompt(
  text: string,
  { leadingSpace = false, patterns = [] }: PromptIgnoreRules,
): string | undefined {
  if (leadingSpace && text.startsWith(" ")) return undefined
  const kept = text.replace(NOT_TEXT, "\ufffd").trim()
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

/** A rule that ignores prompts. */
export type IgnoreReason = "space" | "pattern" | "secret"

/** Which rule ignores a text that is not empty; undefined if it is stored. Without `secrets`, no secret is searched for. */
export async function ignoreReason(
  text: string,
  { leadingSpace, patterns, secrets }: PromptIgnoreRules,
): Promise<IgnoreReason | undefined> {
  if (acceptPrompt(text, { leadingSpace }) === undefined) return "space"
  if (acceptPrompt(text, { patterns }) === undefined) return "pattern"
  return (await dropSecretPrompts([{ text }], { secrets })).length === 0 ? "secret" : undefined
}
