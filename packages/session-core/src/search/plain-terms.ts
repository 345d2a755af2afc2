import { foldText } from "../entry/fold-text.js"

/** Queries with more terms are not checked for contained ones: comparing all pairs would take longer than it saves. */
const MAX_COMPARED = 32

/**
 * The distinct terms of a query without syntax, folded: what white space separates. Each may begin and end anywhere in a word of a
 * folded text. Terms contained in other terms are left out.
 */
export function plainTerms(query: string): string[] {
  const terms = [...new Set(foldText(query).split(/\s+/))].filter((term) => term !== "")
  if (terms.length > MAX_COMPARED) return terms
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)))
}

/** Whether a folded text contains every term. */
export function containsTerms(folded: string, terms: readonly string[]): boolean {
  return terms.every((term) => folded.includes(term))
}
