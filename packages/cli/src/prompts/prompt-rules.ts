import { hasSecrets } from "@treelog/secrets"
import { acceptPrompt, dropSecretPrompts, type PromptIgnoreRules } from "@treelog/session-core/prompt-history"
import { UsageError } from "../errors/usage-error.js"

/** The options of commands that fill the history: what they keep, and what not. */
export interface IgnoreOptions {
  /** Pass over what begins with a space. */
  readonly ignoreSpace?: boolean
  /** Pass over what one of these regular expressions matches. */
  readonly ignore?: readonly string[]
  /** Keep also what looks like it holds a secret. */
  readonly keepSecrets?: boolean
}

/** A rule that a prompt was passed over by. */
export type IgnoreReason = "space" | "pattern" | "secret"

/** @throws UsageError for what is not a regular expression */
export function promptRules({
  ignoreSpace = false,
  ignore = [],
  keepSecrets = false,
}: IgnoreOptions): PromptIgnoreRules {
  return { leadingSpace: ignoreSpace, patterns: ignore.map(pattern), secrets: keepSecrets ? false : hasSecrets }
}

/** Which of the rules a text is passed over by; undefined where it is to be kept. */
export async function matchingRule(
  text: string,
  { leadingSpace, patterns, secrets }: PromptIgnoreRules,
): Promise<IgnoreReason | undefined> {
  if (acceptPrompt(text, { leadingSpace }) === undefined) return "space"
  if (acceptPrompt(text, { patterns }) === undefined) return "pattern"
  return (await dropSecretPrompts([{ text }], { secrets })).length === 0 ? "secret" : undefined
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source, "u")
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`--ignore takes a regular expression: ${error.message}.`)
  }
}
