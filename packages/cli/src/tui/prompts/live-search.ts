import { isTreelogError } from "@treelog/session-core"
import type { PromptHistory, PromptScope } from "@treelog/session-core/prompt-history"
import type { ScopeName } from "../../prompts/prompt-scope.js"
import type { PromptAnswer, PromptRequest } from "./prompt-state.js"

type Find = (request: PromptRequest) => Promise<PromptAnswer>

/** Searches as you type: one search at a time, and after it only the newest of what was asked in the meantime. */
export class LiveSearch {
  readonly #find: Find
  #next: PromptRequest | undefined
  #isBusy = false

  constructor(find: Find) {
    this.#find = find
  }

  /**
   * @param show gets the answer, or nothing where something newer is asked
   * @throws what the search throws
   */
  async ask(request: PromptRequest, show: (answer: PromptAnswer) => void): Promise<void> {
    this.#next = request
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let asked = this.#take(); asked; asked = this.#take()) {
        const answer = await this.#find(asked)
        if (!this.#next) show(answer)
      }
    } finally {
      this.#isBusy = false
    }
  }

  #take(): PromptRequest | undefined {
    const next = this.#next
    this.#next = undefined
    return next
  }
}

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
