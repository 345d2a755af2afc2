import type { ContentBlock, Message } from "@treelog/session-core"
import { isObject, type Json, objectsIn, parsedObject } from "../json.js"

/** How texts begin that Codex writes anew when it goes on with a session. */
const OWN = /^\s*(?:<environment_context>|<user_instructions>|<permissions instructions>|# AGENTS\.md instructions)/

/**
 * The messages of a history that a provider put in the place of what was said before, where all of it can be read.
 * @param message with the summary of a compaction
 * @returns undefined where there is none, or a part of it is sealed
 */
export function historyMessages({ providerPayload, timestamp }: Json): Message[] | undefined {
  const history = isObject(providerPayload) ? providerPayload.replacementHistory : undefined
  if (!Array.isArray(history)) return undefined
  const messages: Message[] = []
  for (const item of objectsIn(history)) {
    const { type = "message", role, call_id: id, name } = item
    if (type === "reasoning" || role === "developer" || role === "system") continue
    if (type === "message") {
      const content = blocksOf(item.content).filter((block) => !OWN.test(String((block as Json).text)))
      if (content.length > 0 && role === "assistant") messages.push(answer(content, timestamp))
      else if (content.length > 0) messages.push({ role: "user", content, timestamp })
    } else if (type === "function_call" || type === "custom_tool_call") {
      const args = type === "custom_tool_call" ? { input: item.input } : (parsedObject(String(item.arguments)) ?? {})
      const more = type === "custom_tool_call" && { thoughtSignature: JSON.stringify({ type }) }
      const call = { type: "toolCall", id, name, arguments: args, ...more } as ContentBlock
      const last = messages.at(-1)
      if (last?.role === "assistant") ((last as unknown as Json).content as ContentBlock[]).push(call)
      else messages.push(answer([call], timestamp))
    } else if (String(type).endsWith("_output"))
      messages.push({
        role: "toolResult",
        toolCallId: id,
        toolName: "",
        content: blocksOf(item.output),
        timestamp,
      } as Message)
    else return undefined
  }
  return messages
}

function answer(content: ContentBlock[], timestamp: unknown): Message {
  return { role: "assistant", content, provider: "openai", model: "unknown", timestamp } as Message
}

function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return objectsIn(content).map((part): ContentBlock => {
    const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(String(part.image_url)) ?? []
    if (mimeType !== undefined && data !== undefined) return { type: "image", mimeType, data }
    return { type: "text", text: String(part.text ?? "") }
  })
}
