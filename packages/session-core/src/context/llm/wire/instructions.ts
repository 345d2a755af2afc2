import type { LlmMessage } from "../llm-message.js"
import { wireBlocks, wireText } from "./wire-blocks.js"

/** Separates the instructions at the start of a conversation from the rest: most providers accept them only as a separate field. */
export function splitInstructions(messages: readonly LlmMessage[]): {
  instructions: string[]
  conversation: readonly LlmMessage[]
} {
  const first = messages.findIndex(({ role }) => role !== "system" && role !== "developer")
  const count = first < 0 ? messages.length : first
  const texts = messages.slice(0, count).map(({ content }) => wireText(wireBlocks(content)))
  return { instructions: texts.filter((text) => text !== ""), conversation: messages.slice(count) }
}
