import type { ImportedPrompt, PromptOrigin, PromptScope, PromptSelection } from "../ports/prompt-history.js"

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
