import type { ContentBlock, Message, ThinkingContent } from "../entry/message.js"
import { thoughtTexts } from "../entry/thoughts.js"
import { isJsonObject } from "../entry/values.js"
import { changedItems, isFilled } from "./block-values.js"

/** The model that gets the messages. Without `model`: any model of the provider. */
export interface ThinkingTarget {
  readonly provider: string
  readonly model?: string | undefined
}

/**
 * Makes the thinking of other providers and models readable for the target (FORMAT.md, section 6): it becomes text in
 * `<thinking>` tags, or what `foreignThinking` of its reply says. Signatures are removed, and so are blocks with only signed or encrypted data. The target's own answers stay
 * the same objects, and if all do, so does the list. Call it before `repairContext`, which removes turns that became empty.
 */
export function convertThinking<M extends Message>(
  messages: readonly M[],
  { provider, model }: ThinkingTarget,
): readonly M[] {
  return changedItems(messages, (message) => {
    if (!isJsonObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return message
    // The target can get its own thinking back unchanged.
    const isOfProvider = message.provider === provider
    if (isOfProvider && (model === undefined || message.model === model)) return message
    const { foreignThinking: given } = message as { readonly foreignThinking?: unknown }
    if (isOfProvider && given === "kept") return message
    const blocks = message.content as ContentBlock[]
    const content = changedItems(given === "text" ? blocks.flatMap(apart) : blocks, (block) => {
      if (!isJsonObject(block) || block.type !== "thinking") return unsigned(block)
      if (isOfProvider && given === "omitted") return undefined
      const { thinking } = block
      return given === "text" && isFilled(thinking) && !block.redacted
        ? { type: "text", text: thinking }
        : unsigned(block)
    })
    return content === message.content ? message : { ...message, content }
  })
}

/** A thought for each of its texts, since each is sent as a text; other blocks alone. */
function apart(block: ContentBlock): ContentBlock[] {
  if (!isJsonObject(block) || block.type !== "thinking") return [block]
  const texts = thoughtTexts(block as unknown as ThinkingContent)
  return texts.length === 1 ? [block] : texts.map((thinking) => ({ type: "thinking", thinking }))
}

/** The block without signatures and encrypted data of its model; the same block when it has none. */
function unsigned(block: ContentBlock): ContentBlock | undefined {
  if (!isJsonObject(block)) return block
  if (block.type === "redactedThinking") return undefined
  if (block.type === "thinking") {
    const { thinking } = block
    return isFilled(thinking) && !block.redacted ? { type: "text", text: thinkingText(thinking) } : undefined
  }
  if (!("textSignature" in block) && !("thoughtSignature" in block)) return block
  const { textSignature: _, thoughtSignature: _too, ...rest } = block
  return rest as ContentBlock
}

/** Thinking as plain text, for models that cannot get it as thinking. */
export function thinkingText(thinking: string): string {
  return `<thinking>\n${thinking}\n</thinking>`
}
