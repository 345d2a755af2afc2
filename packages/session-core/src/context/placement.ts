import type { Message } from "../entry/message.js"

/** What ends a turn of the user, and summaries, which nothing is put before. */
const FIXED: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "assistant",
  "toolResult",
  "compactionSummary",
  "branchSummary",
])

/**
 * Puts custom messages with a `placement` before all others, or to the start or the end of the messages between which they stand, up to the reply,
 * result or summary before and behind.
 * @param entries the ids of the messages' entries, which are moved with them
 */
export function inPlace(
  messages: Message[],
  entries: string[],
): { readonly messages: Message[]; readonly entries: string[] } {
  if (!messages.some((message) => rankOf(message) !== 1)) return { messages, entries }
  let turn = 0
  const turns = messages.map(({ role }) => (FIXED.has(role) ? ++turn * 2 : turn * 2 + 1))
  const order = messages.map((_, at) => at)
  const key = (at: number): number => {
    const rank = rankOf(messages[at] as Message)
    return rank < 0 ? rank : (turns[at] ?? 0) * 3 + rank
  }
  order.sort((a, b) => key(a) - key(b))
  return { messages: order.map((at) => messages[at] as Message), entries: order.map((at) => entries[at] as string) }
}

function rankOf(message: Message): number {
  const placement = message.role === "custom" && "placement" in message ? message.placement : undefined
  return placement === "start" ? -1 : placement === "first" ? 0 : placement === "last" ? 2 : 1
}
