// Messages for the APIs of models, made from a context.

export { convertThinking, type ThinkingTarget } from "./messages/convert-thinking.js"
export type { LlmMessage, SystemMessage } from "./messages/convert-to-llm.js"
export { convertToLlm, type LlmDiagnostic, type LlmMessages } from "./messages/convert-to-llm.js"
export type { ContextChange, ContextChangeKind, RepairOptions } from "./messages/repair/context-change.js"
export { type RepairedContext, repairContext } from "./messages/repair/repair-context.js"
export { fromUIMessages, type UIMessageOptions } from "./messages/wire/from-ui-messages.js"
export type {
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicMessages,
  AnthropicText,
  AnthropicThinking,
  AnthropicToolResult,
  AnthropicToolUse,
} from "./messages/wire/to-anthropic-messages.js"
export { toAnthropicMessages } from "./messages/wire/to-anthropic-messages.js"
export type {
  ModelFile,
  ModelImage,
  ModelMessage,
  ModelProviderOptions,
  ModelReasoning,
  ModelResultPart,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from "./messages/wire/to-model-messages.js"
export { toModelMessages } from "./messages/wire/to-model-messages.js"
export type { OpenAIInputContent, OpenAIInputItem, OpenAIReasoningItem } from "./messages/wire/to-openai-input.js"
export { toOpenAIInput } from "./messages/wire/to-openai-input.js"
export type {
  OpenAIFile,
  OpenAIImage,
  OpenAIMessage,
  OpenAIText,
  OpenAIToolCall,
} from "./messages/wire/to-openai-messages.js"
export { toOpenAIMessages } from "./messages/wire/to-openai-messages.js"
export { toUIMessages } from "./messages/wire/to-ui-messages.js"
export type { UIMessage, UIMessageLike, UIMessagePart, UIToolPart } from "./messages/wire/ui-message.js"
export type { Conversation, WireOptions } from "./messages/wire/wire-message.js"
