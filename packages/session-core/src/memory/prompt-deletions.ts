import type { ImportedPrompt, PromptOrigin, PromptSelection } from "../ports/prompt-history.js"

// A deletion is recorded as tombstones, so that an import does not restore deleted prompts. A tombstone is a key (a text, a folder, a
// session, a text in one of them, or everything) with a time. An import skips a prompt if one of its keys was deleted after the time
// of the prompt.

/** The tombstone keys to record when a selection, which matched these prompts, is deleted. */
export function tombstonesFor(selection: PromptSelection, prompts: readonly ImportedPrompt[]): Set<string> {
  if ("id" in selection) return new Set(prompts.map(({ text }) => key(text)))
  const { scope = { kind: "all" } } = selection
  const textOf = ({ text }: ImportedPrompt) => ("query" in selection ? text : undefined)
  switch (scope.kind) {
    case "all":
      return new Set("query" in selection ? prompts.map(({ text }) => key(text)) : [key()])
    case "session":
      return new Set([
        ...("query" in selection ? [] : [key(undefined, { sessionId: scope.sessionId })]),
        ...prompts.map((prompt) => key(textOf(prompt), { sessionId: scope.sessionId })),
      ])
    case "cwd":
    case "repository":
      return new Set([
        ...("query" in selection || scope.kind === "repository" ? [] : [key(undefined, { cwd: scope.cwd })]),
        ...prompts.map((prompt) => key(textOf(prompt), { cwd: prompt.cwd })),
      ])
  }
}

/** All keys of which a tombstone excludes the prompt from an import. */
export function tombstoneKeys({ text, cwd, sessionId }: ImportedPrompt): string[] {
  const keys = [key(), key(text)]
  for (const origin of [...(cwd === undefined ? [] : [{ cwd }]), ...(sessionId === undefined ? [] : [{ sessionId }])])
    keys.push(key(undefined, origin), key(text, origin))
  return keys
}

function key(text?: string, { cwd, sessionId }: PromptOrigin = {}): string {
  return JSON.stringify([text ?? null, cwd ?? null, sessionId ?? null])
}
