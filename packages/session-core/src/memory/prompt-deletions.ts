import type { ImportedPrompt, PromptOrigin, PromptSelection } from "../ports/prompt-history.js"

// What was deleted is remembered by keys, so that an import does not bring it back: a text, a folder, a session, a text
// in one of them, or everything. A prompt is refused when one of its own keys was deleted after the prompt was given.

/** The keys to remember when a selection was deleted, and with it these prompts. */
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

/** Every key that would refuse the prompt. */
export function tombstoneKeys({ text, cwd, sessionId }: ImportedPrompt): string[] {
  const keys = [key(), key(text)]
  for (const origin of [...(cwd === undefined ? [] : [{ cwd }]), ...(sessionId === undefined ? [] : [{ sessionId }])])
    keys.push(key(undefined, origin), key(text, origin))
  return keys
}

function key(text?: string, { cwd, sessionId }: PromptOrigin = {}): string {
  return JSON.stringify([text ?? null, cwd ?? null, sessionId ?? null])
}
