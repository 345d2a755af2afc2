import type { PromptIgnoreRules } from "@treelog/history-sqlite"
import { hasSecret } from "@treelog/secrets"
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

/** @throws UsageError for what is not a regular expression */
export function promptRules({
  ignoreSpace = false,
  ignore = [],
  keepSecrets = false,
}: IgnoreOptions): PromptIgnoreRules {
  return { leadingSpace: ignoreSpace, patterns: ignore.map(pattern), secrets: keepSecrets ? false : hasSecret }
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source, "u")
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`--ignore takes a regular expression: ${error.message}.`)
  }
}
