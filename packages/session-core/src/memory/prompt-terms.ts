import { TreelogError } from "../errors.js"
import { foldPrompt } from "./prompt-fold.js"

/** The distinct terms of a query, folded. Terms contained in other terms are left out. */
export function promptTerms(query: string): string[] {
  const terms = [...new Set(foldPrompt(query).split(/\s+/))].filter((term) => term !== "")
  if (terms.length > MAX_COMPARED) return terms
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)))
}

/** Queries with more terms are not checked for contained ones: comparing all pairs would take longer than it saves. */
const MAX_COMPARED = 32

/** Whether a folded text contains every term. */
export function matchesTerms(folded: string, terms: readonly string[]): boolean {
  return terms.every((term) => folded.includes(term))
}

/**
 * The terms of a query for a deletion.
 * @throws InvalidArgumentError when there are none, since that would match every prompt
 */
export function requirePromptTerms(query: string): string[] {
  const terms = promptTerms(query)
  if (terms.length > 0) return terms
  throw new TreelogError("InvalidArgumentError", "A query that says what to delete has at least one term.", {
    argument: "query",
    value: query,
  })
}
