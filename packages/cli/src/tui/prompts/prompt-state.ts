import type { Prompt } from "@treelog/session-core/prompt-history"
import type { ScopeName } from "../../prompts/prompt-scope.js"
import { type ListWindow, windowOf } from "../frame/list-window.js"
import { fieldWith, type TextField } from "../frame/text-field.js"

/** What is looked for. */
export interface PromptRequest {
  readonly query: string
  readonly scope: ScopeName
  /** At most so many prompts. More are asked for when the selection comes near the end. */
  readonly limit: number
}

/** What came of it: prompts, or a sentence that says why there are none. */
export interface PromptAnswer {
  readonly request: PromptRequest
  readonly prompts: readonly Prompt[]
  readonly notice?: string | undefined
}

export interface PromptState {
  /** The query as it is written. */
  readonly field: TextField
  readonly wanted: PromptRequest
  /** To what is wanted, or to what was wanted before. */
  readonly answer: PromptAnswer
  /** Of the prompts of the answer. */
  readonly window: ListWindow
  /** Enter was pressed, and waits for the answer. */
  readonly isAccepting: boolean
  readonly picked?: Prompt
}

export const SCOPES: readonly ScopeName[] = ["all", "repository", "cwd", "session"]

/** Prompts that are asked for at first. */
export const FIRST_LIMIT = 200

/** The state before the first key. */
export function initialState(answer: PromptAnswer, height = 1): PromptState {
  const { request } = answer
  return { field: fieldWith(request.query), wanted: request, answer, window: windowOf(height), isAccepting: false }
}
