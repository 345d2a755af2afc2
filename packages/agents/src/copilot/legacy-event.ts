import { type Json, objectIn, objectsIn, textIn } from "../kit.js"

/** A message of the API of OpenAI as an event. Copilot put reminders behind what was typed. */
export function legacyEvent(message: Json): [string, Json] {
  const { role, tool_call_id: toolCallId } = message
  const blocks = objectsIn(message.content)
  const text = textIn(message, "content") ?? blocks.map((block) => textIn(block, "text") ?? "").join("")
  const calls = objectsIn(message.tool_calls).map((call) => ({ toolCallId: call.id, ...objectIn(call, "function") }))
  if (role === "assistant") return ["assistant.message", { content: text, toolRequests: calls }]
  if (role === "tool") return ["tool.execution_complete", { toolCallId, success: true, result: { content: text } }]
  if (role !== "user") return ["system.message", { content: text }]
  const reminder = text.lastIndexOf("<reminder>")
  const attachments = blocks.flatMap((block) => imageOf(textIn(objectIn(block, "image_url") ?? {}, "url") ?? ""))
  const typed = reminder < 0 ? text : text.slice(0, reminder).trim()
  return ["user.message", { content: typed, transformedContent: text, attachments }]
}

function imageOf(url: string): Json[] {
  const [, mimeType, data] = /^data:(image\/[\w+.-]+);base64,(.*)$/s.exec(url) ?? []
  return data === undefined ? [] : [{ mimeType, data }]
}
