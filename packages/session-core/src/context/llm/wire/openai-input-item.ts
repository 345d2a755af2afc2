/** An item of the `input` that OpenAI's Responses API takes. */
export type OpenAIInputItem =
  | { role: "system" | "developer" | "assistant"; content: string }
  | { role: "user"; content: OpenAIInputContent[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | OpenAIInputContent[] }
  | OpenAIReasoningItem

/** A piece of what is put in. */
export type OpenAIInputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; detail: "auto"; image_url: string }

/** Reasoning as OpenAI gave it, kept as JSON in a `thinkingSignature`. */
export interface OpenAIReasoningItem {
  type: "reasoning"
  id: string
  summary: { type: "summary_text"; text: string }[]
  encrypted_content?: string | null
}
