import { TreelogError } from "../errors.js"
import { foldPrompt } from "./prompt-fold.js"

/** The distinct terms of a query, folded. One that lies within another says nothing new, and is left out. */
export function promptTerms(query: string): string[] {
  const terms = [...new Set(foldPrompt(query).split(/\s+/))].filter((term) => term !== "")
  if (terms.length > MAX_COMPARED) return terms
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)))
}

/** Comparing each with each would take longer than a search for the terms that it saves. */
const MAX_COMPARED = 32

/** Whether a text, folded, holds every term. */
export function matchesTerms(folded: string, terms: readonly string[]): boolean {
  return terms.every((term) => folded.includes(term))
}

/**
 * The terms of a query that says what to delete. @throws InvalidArgumentError where there are none: they would hold
 * everywhere
 */
export function requirePromptTerms(query: string): string[] {
  const terms = promptTerms(query)
  if (terms.length > 0) return terms
  throw new TreelogError("InvalidArgumentError", "A query that says what to delete has at least one term.", {
    argument: "query",
    value: query,
  })
}
