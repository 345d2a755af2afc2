import { foldText, replaceNoText } from "../entry/fold-text.js"
import { TreelogError } from "../errors.js"
import type {
  ImportedPrompt,
  PromptIgnoreRules,
  PromptOrigin,
  PromptScope,
  PromptSelection,
} from "../ports/prompt-history.js"

/** The text as a history stores it: trimmed, without lone surrogates and NUL. */
export function normalizePrompt(text: string): string {
  return replaceNoText(text).trim()
}

/** The distinct terms of a query, folded. Terms contained in other terms are left out. */
export function promptTerms(query: string): string[] {
  const terms = [...new Set(foldText(query).split(/\s+/))].filter((term) => term !== "")
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

/** Whether a prompt with this folder and session belongs to the scope. */
export function isInPromptScope(scope: PromptScope, { cwd, sessionId }: PromptOrigin): boolean {
  switch (scope.kind) {
    case "all":
      return true
    case "session":
      return sessionId === scope.sessionId
    case "cwd":
      return cwd === scope.cwd
    case "repository":
      return cwd !== undefined && scope.roots.some((root) => isWithin(root, cwd))
  }
}

function isWithin(root: string, folder: string): boolean {
  if (!folder.startsWith(root)) return false
  const next = folder[root.length]
  return next === undefined || next === "/" || next === "\\" || /[/\\]$/.test(root)
}

/** The last second of the year 5138. Larger numbers where seconds are expected are read as milliseconds. */
const LAST = 1e11

/** The timestamp to store for a prompt: milliseconds since 1970 to whole seconds. NaN and infinite times become 0. */
export function promptTimestamp(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(Math.floor(ms / 1000), 0), LAST)
}

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

// A deletion is recorded as tombstones, so that an import does not restore deleted prompts. A tombstone is a key (a text, a folder, a
// session, a text in one of them, or everything) with a time. An import skips a prompt if one of its keys was deleted after the time
// of the prompt.

/** The tombstone keys to record when a selection, which matched these prompts, is deleted. */
export function tombstonesFor(selection: PromptSelection, prompts: readonly ImportedPrompt[]): Set<string> {
  const scope: PromptScope = ("scope" in selection && selection.scope) || { kind: "all" }
  const isWhole = !("id" in selection || "query" in selection)
  const keys = prompts.map(({ text, cwd }) => {
    const origin = scope.kind === "all" ? {} : scope.kind === "session" ? { sessionId: scope.sessionId } : { cwd }
    return key(isWhole ? undefined : text, origin)
  })
  // A whole scope is excluded even if nothing of it is stored. Of a repository, only the folders of stored prompts are known.
  if (isWhole && scope.kind !== "repository") keys.push(key(undefined, scope as PromptOrigin))
  return new Set(keys)
}

/** All keys of which a tombstone excludes the prompt from an import. */
export function tombstoneKeys({ text, cwd, sessionId }: ImportedPrompt): string[] {
  const origins = [{}, ...(cwd === undefined ? [] : [{ cwd }]), ...(sessionId === undefined ? [] : [{ sessionId }])]
  return origins.flatMap((origin) => [key(undefined, origin), key(text, origin)])
}

function key(text?: string, { cwd, sessionId }: PromptOrigin = {}): string {
  return JSON.stringify([text ?? null, cwd ?? null, sessionId ?? null])
}
