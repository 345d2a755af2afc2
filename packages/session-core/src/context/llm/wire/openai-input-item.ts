/** An item of the `input` of OpenAI's Responses API. */
export type OpenAIInputItem =
  | { role: "system" | "developer" | "assistant"; content: string }
  | { role: "user"; content: OpenAIInputContent[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | OpenAIInputContent[] }
  | OpenAIReasoningItem

/** A content part of an input item. */
export type OpenAIInputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; detail: "auto"; image_url: string }

/** A reasoning item as OpenAI returned it, kept as JSON in a `thinkingSignature`. */
export interface OpenAIReasoningItem {
  type: "reasoning"
  id: string
  summary: { type: "summary_text"; text: string }[]
  encrypted_content?: string | null
}
