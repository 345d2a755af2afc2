export interface Model {
  readonly api: string
  readonly provider: string
  readonly model: string
}

export const MODELS: readonly Model[] = [
  { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" },
  { api: "openai-responses", provider: "openai", model: "gpt-5.1-codex" },
  { api: "google-generative-ai", provider: "google", model: "gemini-3-pro-preview" },
]

/** Of omp's roles, what the cheap ones run on. */
export const SMALL_MODELS: readonly Model[] = [
  { api: "anthropic-messages", provider: "anthropic", model: "claude-haiku-4-5" },
  { api: "openai-responses", provider: "openai", model: "gpt-5-mini" },
]

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high"]
