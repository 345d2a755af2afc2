import type { ContentBlock, Message } from "../entry/message.js"
import { isJsonObject } from "../entry/values.js"
import { changedItems } from "./block-values.js"

/** The model that gets the messages. Without `model`: any model of the provider. */
export interface ThinkingTarget {
  readonly provider: string
  readonly model?: string | undefined
}

/**
 * Makes the thinking of other providers and models readable for the target (FORMAT.md, section 6): it becomes text in
 * `<thinking>` tags. Signatures are removed, and so are blocks with only signed or encrypted data. The target's own answers stay
 * the same objects, and if all do, so does the list. Call it before `repairContext`, which removes turns that became empty.
 */
export function convertThinking<M extends Message>(
  messages: readonly M[],
  { provider, model }: ThinkingTarget,
): readonly M[] {
  return changedItems(messages, (message) => {
    if (!isJsonObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return message
    // The target can get its own thinking back unchanged.
    if (message.provider === provider && (model === undefined || message.model === model)) return message
    const content = changedItems(message.content as ContentBlock[], unsigned)
    return content === message.content ? message : { ...message, content }
  })
}

/** The block without signatures and encrypted data of its model; the same block when it has none. */
function unsigned(block: ContentBlock): ContentBlock | undefined {
  if (!isJsonObject(block)) return block
  if (block.type === "redactedThinking") return undefined
  if (block.type === "thinking") {
    const isReadable = typeof block.thinking === "string" && block.thinking.trim() !== "" && !block.redacted
    return isReadable ? { type: "text", text: thinkingText(block.thinking as string) } : undefined
  }
  if (!("textSignature" in block) && !("thoughtSignature" in block)) return block
  const { textSignature: _, thoughtSignature: _too, ...rest } = block
  return rest as ContentBlock
}

/** Thinking as plain text, for models that cannot get it as thinking. */
export function thinkingText(thinking: string): string {
  return `<thinking>\n${thinking}\n</thinking>`
}
