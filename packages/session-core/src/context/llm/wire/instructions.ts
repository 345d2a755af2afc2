import type { LlmMessage } from "../llm-message.js"
import { wireBlocks, wireText } from "./wire-blocks.js"

/** The instructions that a conversation begins with, apart from it: most providers take those of the beginning only there. */
export function splitInstructions(messages: readonly LlmMessage[]): {
  instructions: string[]
  conversation: readonly LlmMessage[]
} {
  const first = messages.findIndex(({ role }) => role !== "system" && role !== "developer")
  const count = first < 0 ? messages.length : first
  const texts = messages.slice(0, count).map(({ content }) => wireText(wireBlocks(content)))
  return { instructions: texts.filter((text) => text !== ""), conversation: messages.slice(count) }
}
