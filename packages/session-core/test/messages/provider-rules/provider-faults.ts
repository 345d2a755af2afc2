import type { Message } from "@treelog/session-core"
import { toAnthropicMessages, toModelMessages, toOpenAIInput, toOpenAIMessages } from "@treelog/session-core/messages"
import { anthropicFaults } from "./anthropic-rules.js"
import { googleFaults } from "./google-rules.js"
import { messageFaults } from "./message-rules.js"
import { openAIFaults, openAIInputFaults } from "./openai-rules.js"

/** For what Anthropic, OpenAI or Google would turn the messages down, in each of the shapes that they are sent in. */
export function providerFaults(messages: readonly Message[]): Record<string, string[]> {
  const all = {
    messages: messageFaults(messages),
    anthropic: anthropicFaults(toAnthropicMessages(messages, { repair: false })),
    openai: openAIFaults(toOpenAIMessages(messages, { repair: false })),
    input: openAIInputFaults(toOpenAIInput(messages, { repair: false })),
    google: googleFaults(toModelMessages(messages, { repair: false })),
  }
  return Object.fromEntries(Object.entries(all).filter(([, faults]) => faults.length > 0))
}
