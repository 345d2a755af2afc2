import type { AssistantMessage, ContentBlock, Message, TextContent, ThinkingContent } from "../entry/message.js"
import { thoughtTexts } from "../entry/thoughts.js"
import { isJsonObject, objectsIn, textIn } from "../entry/values.js"
import { lastReply } from "./last-reply.js"

interface Placed {
  readonly messages: Message[]
  readonly entries: string[]
}

/**
 * Where the last reply has `chat`, gives messages the form in which its agent sends them with an API for chats: the texts of a reply are one, with what
 * other models thought, and the files of its results stand behind them in a message of the user.
 * @param entries the ids of the messages' entries; a message with files has that of the last result
 */
export function inChatForm(messages: Message[], entries: string[]): Placed {
  const last = lastReply(messages)
  const words = wordsBeforeFiles(last)
  if (!last || words === undefined) return { messages, entries }
  const given: Placed = { messages: [], entries: [] }
  let files: ContentBlock[] = []
  const give = (message: Message, entry: string): void => {
    given.messages.push(message)
    given.entries.push(entry)
  }
  const giveFiles = (): void => {
    const result = given.messages.at(-1)
    if (!result || files.length === 0) return
    const content: ContentBlock[] = [{ type: "text", text: words }, ...files]
    files = []
    give({ role: "user", content, timestamp: result.timestamp }, given.entries.at(-1) ?? "")
  }
  for (const [at, message] of messages.entries()) {
    const entry = entries[at] ?? ""
    const found = message.role === "toolResult" ? blocksOf(message).filter(isFile) : []
    if (message.role !== "toolResult") giveFiles()
    files.push(...found)
    if (message.role === "assistant") give(joined(message as AssistantMessage, last), entry)
    else if (found.length === 0) give(message, entry)
    else give({ ...message, content: blocksOf(message).filter((block) => !isFile(block)) } as Message, entry)
  }
  giveFiles()
  return given
}

/** Values of files are checked where they are read. */
function wordsBeforeFiles(reply: AssistantMessage | undefined): string | undefined {
  const chat: unknown = reply?.chat
  return isJsonObject(chat) && typeof chat.files === "string" ? chat.files : undefined
}

/** A reply with one thought and one text before its calls. */
function joined(reply: AssistantMessage, { provider, model }: AssistantMessage): AssistantMessage {
  const isOwn = reply.provider === provider && reply.model === model
  const blocks = blocksOf(reply)
  const isThought = (block: ContentBlock): block is ThinkingContent => block.type === "thinking"
  const isForeign = (block: ContentBlock): boolean =>
    isThought(block) && !isOwn && reply.foreignThinking === "text" && textIn(block.thinking).trim() !== ""
  const isSaid = (block: ContentBlock): block is TextContent | ThinkingContent =>
    block.type === "text" || isForeign(block)
  const [thoughts, said] = [blocks.filter(isThought), blocks.filter(isSaid)]
  if (said.length < 2 && (isOwn ? thoughts.length < 2 : !said.some(isThought))) return reply
  const thinking = isOwn ? thoughts.flatMap(thoughtTexts).join("") : ""
  const text = said.flatMap((block) => (isThought(block) ? thoughtTexts(block) : textIn(block.text))).join("")
  const rest = blocks.filter((block) => !isSaid(block) && !(isOwn && isThought(block)))
  const content: ContentBlock[] = [
    ...(thinking === "" ? [] : [{ type: "thinking", thinking } as const]),
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...rest,
  ]
  return { ...reply, content }
}

function blocksOf(message: Message): ContentBlock[] {
  return objectsIn("content" in message ? message.content : undefined) as unknown as ContentBlock[]
}

const FILES: ReadonlySet<string> = /* @__PURE__ */ new Set(["image", "document", "file"])

function isFile({ type }: ContentBlock): boolean {
  return FILES.has(type)
}
