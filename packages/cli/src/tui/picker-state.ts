import type { Prompt } from "@treelog/session-core"
import type { ScopeName } from "../prompt-scope.js"

/** What is looked for. */
export interface PickerRequest {
  readonly query: string
  readonly scope: ScopeName
  /** At most so many prompts. More are asked for when the selection comes near the end. */
  readonly limit: number
}

/** What came of it: prompts, or a sentence that says why there are none. */
export interface PickerAnswer {
  readonly request: PickerRequest
  readonly prompts: readonly Prompt[]
  readonly notice?: string | undefined
}

export interface PickerState {
  readonly wanted: PickerRequest
  /** To what is wanted, or to what was wanted before. */
  readonly answer: PickerAnswer
  /** Index of a prompt of the answer. */
  readonly selected: number
  /** Index of the prompt in the first row. */
  readonly top: number
  /** Rows that prompts are shown in. */
  readonly height: number
  /** Enter was pressed, and waits for the answer. */
  readonly isAccepting: boolean
  readonly outcome?: PickerOutcome
}

export type PickerOutcome = { readonly kind: "picked"; readonly prompt: Prompt } | { readonly kind: "left" }

export const SCOPES: readonly ScopeName[] = ["all", "repository", "cwd", "session"]

/** Prompts that are asked for at first. */
export const FIRST_LIMIT = 200

/** The state before the first key. */
export function initialState(answer: PickerAnswer, height: number): PickerState {
  return { wanted: answer.request, answer, selected: 0, top: 0, height, isAccepting: false }
}
