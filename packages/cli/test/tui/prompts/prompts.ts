import type { Prompt } from "@treelog/session-core/prompt-history"
import { TEST_START } from "@treelog-internal/test-kit"
import type { PromptAnswer, PromptRequest } from "../../../src/tui/prompts/prompt-state.js"

const MINUTE = 60_000

/** The newest first, a minute apart. */
export function prompts(...texts: readonly string[]): Prompt[] {
  return texts.map((text, at) => ({ id: texts.length - at, text, createdAt: TEST_START - at * MINUTE, cwd: "/p" }))
}

export function answer(request: Partial<PromptRequest>, ...texts: readonly string[]): PromptAnswer {
  return { request: { query: "", scope: "all", limit: 200, ...request }, prompts: prompts(...texts) }
}

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `prompt ${index + 1}`)
}
