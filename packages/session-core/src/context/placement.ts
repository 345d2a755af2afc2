import type { ContentBlock, CustomMessage, Message, ToolResultMessage, UserMessage } from "../entry/message.js"
import { contentText, valueText } from "../entry/values.js"
import { lastReply } from "./last-reply.js"

/** What ends a turn of the user, and summaries, which nothing is put before. */
const FIXED: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "assistant",
  "toolResult",
  "compactionSummary",
  "branchSummary",
])

/**
 * Puts custom messages with a `placement` before all others, or to the start or the end of the messages between which they stand, up to the reply,
 * result or summary before and behind, also a reply that was left out. For a model without messages of the system (`reminders` of the last reply)
 * all but the first kind stand at the start, and those behind a result become a part of it, as does what the user said there in the tags of a reminder;
 * for one that gets them `joined`, those at the end are one message.
 * @param entries the ids of the messages' entries, which are moved with them
 * @param leftOut the places of messages before which a reply was left out
 */
export function inPlace(
  messages: Message[],
  entries: string[],
  leftOut: ReadonlySet<number>,
): { readonly messages: Message[]; readonly entries: string[] } {
  if (!messages.some((message) => placementOf(message) !== undefined)) return { messages, entries }
  const reminders = lastReply(messages)?.reminders
  const asUser = reminders === "user"
  const rankOf = (message: Message, isBehindResult: boolean): number => {
    const placement = placementOf(message)
    if (placement === undefined) return asUser && isBehindResult && isInTags(message) ? 0 : 1
    return placement === "start" ? -1 : placement === "last" && !asUser ? 2 : 0
  }
  let turn = 0
  let fixed = ""
  const turns = messages.map(({ role }, at) => {
    if (leftOut.has(at)) turn++
    return FIXED.has(role) ? ++turn * 2 : turn * 2 + 1
  })
  const ranks = messages.map((message) => {
    if (FIXED.has(message.role)) fixed = message.role
    return rankOf(message, fixed === "toolResult")
  })
  const order = messages.map((_, at) => at)
  const key = (at: number): number => {
    const rank = ranks[at] ?? 1
    return rank < 0 ? rank : (turns[at] ?? 0) * 3 + rank
  }
  order.sort((a, b) => key(a) - key(b))
  const placed = order.map((at) => ({ message: messages[at] as Message, entry: entries[at] as string }))
  const all = asUser ? withRemindersInResults(placed) : reminders === "joined" ? withJoinedReminders(placed) : placed
  return { messages: all.map(({ message }) => message), entries: all.map(({ entry }) => entry) }
}

interface Placed {
  readonly message: Message
  readonly entry: string
}

/** Adds the texts of reminders to the result that they follow, unless they have a place beside results, or one of them is no text alone. */
function withRemindersInResults(placed: readonly Placed[]): Placed[] {
  const all: Placed[] = []
  for (let at = 0; at < placed.length; ) {
    const one = placed[at++] as Placed
    const from = at
    if (one.message.role === "toolResult") while (isPartOfResult(placed[at]?.message)) at++
    const behind = placed.slice(from, at)
    const texts = behind.map(({ message }) => reminderText(message as CustomMessage | UserMessage))
    const result = one.message as ToolResultMessage
    if (behind.length === 0 || texts.includes(undefined)) all.push(one, ...behind)
    else all.push({ ...one, message: { ...result, content: texts.reduce(withText, result.content) } })
  }
  return all
}

function isPartOfResult(message: Message | undefined): boolean {
  return message !== undefined && (IN_RESULTS.has(placementOf(message)) || isInTags(message))
}

/** Whether all that the user said is in the tags of a reminder. */
function isInTags(message: Message): boolean {
  return message.role === "user" && IN_TAGS.test(contentText((message as UserMessage).content))
}

/** Makes one message of the texts behind the messages of the user. */
function withJoinedReminders(placed: readonly Placed[]): Placed[] {
  const all: Placed[] = []
  for (const one of placed) {
    const before = all.at(-1)
    const [text, first] = [one, before].map((each) =>
      each && placementOf(each.message) === "last" ? reminderText(each.message as CustomMessage) : undefined,
    )
    if (before && text !== undefined && first !== undefined)
      all[all.length - 1] = {
        ...before,
        message: { ...(before.message as CustomMessage), content: `${first}\n\n${text}` },
      }
    else all.push(one)
  }
  return all
}

function withText(content: ContentBlock[], text = ""): ContentBlock[] {
  const last = content.at(-1) as { readonly type?: string; readonly text?: unknown } | undefined
  if (last?.type !== "text" || typeof last.text !== "string") return [...content, { type: "text", text }]
  return [...content.slice(0, -1), { type: "text", text: [last.text.trim(), text].filter(Boolean).join("\n\n") }]
}

/** Undefined of one that is no text alone. */
function reminderText({ content }: CustomMessage | UserMessage): string | undefined {
  if (typeof content === "string") return content.trim()
  const texts = content.flatMap((block) =>
    block.type === "text" && "text" in block ? [valueText(block.text).trim()] : [],
  )
  return texts.length === content.length ? texts.join("\n\n") : undefined
}

const PLACEMENTS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["start", "first", "last", "beside"])
const IN_TAGS = /^<system-reminder>\n[\s\S]*<\/system-reminder>\s*$/
/** Placements of reminders that can be a part of a result. */
const IN_RESULTS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["first", "last"])

/** What no placement is counts as none: the message stands where it is. */
function placementOf(message: Message): CustomMessage["placement"] {
  const placement = message.role === "custom" && "placement" in message ? message.placement : undefined
  return PLACEMENTS.has(placement) ? (placement as CustomMessage["placement"]) : undefined
}
