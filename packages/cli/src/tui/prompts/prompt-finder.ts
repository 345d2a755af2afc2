import { isTreelogError } from "@treelog/session-core"
import type { PromptHistory, PromptScope } from "@treelog/session-core/prompt-history"
import type { ScopeName } from "../../prompts/prompt-scope.js"
import type { PromptAnswer, PromptRequest } from "./prompt-state.js"

/**
 * Finds what the picker of prompts asks for.
 * @param scopeOf is asked once for each scope
 */
export function promptFinder(
  history: PromptHistory,
  scopeOf: (name: ScopeName) => Promise<PromptScope>,
): (request: PromptRequest) => Promise<PromptAnswer> {
  const scopes = new Map<ScopeName, Promise<PromptScope>>()
  return async (request) => {
    const resolving = scopes.get(request.scope) ?? scopeOf(request.scope)
    scopes.set(request.scope, resolving)
    try {
      const { query, limit } = request
      return { request, prompts: await history.search(query, { scope: await resolving, limit }) }
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError")) throw error
      return { request, prompts: [], notice: error.message }
    }
  }
}
