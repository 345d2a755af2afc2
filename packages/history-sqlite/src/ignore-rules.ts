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

/** A rule that ignores prompts. */
export type IgnoreReason = "space" | "pattern" | "secret"

/** Which rule ignores a text that is not empty; undefined if it is stored. Without `secrets`, no secret is searched for. */
export function ignoreReason(
  text: string,
  { leadingSpace, patterns, secrets }: PromptIgnoreRules,
): IgnoreReason | undefined {
  if (acceptPrompt(text, { leadingSpace }) === undefined) return "space"
  if (acceptPrompt(text, { patterns }) === undefined) return "pattern"
  return isSecret(text, { secrets }) ? "secret" : undefined
}

/** Whether a prompt looks like it contains a secret, by the rule `secrets`. */
export function isSecret(text: string, { secrets }: PromptIgnoreRules): boolean {
  return secrets ? secrets(text) : false
}
