import { folderName, isSameFolder } from "@treelog/session-core/adapter"
import type { PromptOrigin, PromptScope } from "../prompt.js"

/** Whether a prompt with this folder and session belongs to the scope. */
export function isInPromptScope(scope: PromptScope, { cwd, sessionId }: PromptOrigin): boolean {
  switch (scope.kind) {
    case "all":
      return true
    case "session":
      return sessionId === scope.sessionId
    case "cwd":
      return cwd !== undefined && isSameFolder(cwd, scope.cwd)
    case "repository":
      return cwd !== undefined && scope.roots.some((root) => isWithin(folderName(root), folderName(cwd)))
  }
}

function isWithin(root: string, folder: string): boolean {
  if (!folder.startsWith(root)) return false
  const next = folder[root.length]
  return next === undefined || next === "/" || next === "\\" || /[/\\]$/.test(root)
}
