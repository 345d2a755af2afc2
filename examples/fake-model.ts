// Stands in for a provider: takes a request as Anthropic's Messages API does, and answers at once. It knows three things.

import type { AnthropicMessage } from "@treelog/session-core/messages"

export interface FakeAnswer {
  content: (
    | { type: "text"; text: string }
    | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  )[]
  usage: { input_tokens: number; output_tokens: number }
}

/** What it can take, in tokens. Real ones take more; this one has to be compacted soon. */
export const WINDOW = 20_000

/** To a picture it says how large it is, to a page how long it is; with a system prompt it sums up; otherwise it counts. */
export async function askFakeModel({
  system = "",
  messages,
}: {
  system?: string
  messages: AnthropicMessage[]
}): Promise<FakeAnswer> {
  assertResults(messages)
  const last = messages.at(-1)?.content.at(-1)
  const usage = { input_tokens: Math.ceil(JSON.stringify(messages).length / 4), output_tokens: 20 }
  const say = (text: string): FakeAnswer => ({ content: [{ type: "text", text }], usage })
  const call = (name: string, input: Record<string, unknown>): FakeAnswer => ({
    content: [{ type: "tool_use", id: `call_${crypto.randomUUID()}`, name, input }],
    usage,
  })

  if (system !== "") return say("## Goal\nLook at things, and say how large they are.")
  if (last?.type === "tool_result") {
    const [block] = last.content
    if (block?.type === "image" && block.source.type === "base64")
      return say(`A picture of ${atob(block.source.data).length} bytes.`)
    return say(`${block?.type === "text" ? block.text.length : 0} characters.`)
  }
  if (last?.type === "text" && last.text.includes("picture")) return call("look", { path: "page.png" })
  if (last?.type === "text" && last.text.includes("page")) return call("read", { path: "page.txt" })
  return say(`I got ${messages.length} messages.`)
}

/** Providers refuse a call without a result right behind it. */
function assertResults(messages: AnthropicMessage[]): void {
  const idsOf = (message: AnthropicMessage | undefined, type: "tool_use" | "tool_result") =>
    message?.content.flatMap((block) => {
      if (block.type !== type) return []
      return block.type === "tool_use" ? block.id : block.type === "tool_result" ? block.tool_use_id : []
    }) ?? []
  for (const [index, message] of messages.entries()) {
    const results = idsOf(messages[index + 1], "tool_result")
    const missing = idsOf(message, "tool_use").find((id) => !results.includes(id))
    if (missing !== undefined) throw new Error(`400: there is no tool_result for ${missing}`)
  }
}
