// A turn of an agent that can be continued anywhere: what to do next depends only on what is stored.

import { setTimeout as sleep } from "node:timers/promises"
import {
  type AssistantMessage,
  type ContentBlock,
  isEntry,
  type Message,
  messageText,
  type Session,
  type ToolResultMessage,
} from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { askFakeModel, type FakeAnswer } from "../fake-model.js"

const tools: Record<string, () => ContentBlock[]> = {
  look: () => [{ type: "image", mimeType: "image/png", data: Buffer.alloc(30_000, 7).toString("base64") }],
  read: () => [{ type: "text", text: "All work and no play. ".repeat(50) }],
}

/**
 * Answers a prompt, or continues where another process stopped, or returns the answer that is stored.
 * @param promptId chosen by the client: a repeated request is not a second prompt
 * @param thinkMs how long the model takes
 */
export async function answer(session: Session, promptId: string, text: string, thinkMs: number): Promise<string> {
  for (;;) {
    const turn = turnOf(session, promptId)
    const reply = turn?.filter(isReply).at(-1)
    const calls = (reply?.content ?? []).filter((block) => block.type === "toolCall") as { id: string; name: string }[]
    if (reply && calls.length === 0) return messageText(reply)
    const done = turn?.filter(isResult).map(({ toolCallId }) => toolCallId)
    const open = calls.filter(({ id }) => !done?.includes(id))
    if (!turn) {
      await append(session, { role: "user", content: text, timestamp: Date.now() }, promptId)
    } else if (open.length === 0) await append(session, await askModel(session, thinkMs))
    else for (const call of open) await append(session, resultOf(call))
  }
}

/**
 * Appends a message, durable in the database. If this process was stopped past its lease, another one may have continued, at any point: then
 * nothing is appended. The client asks again, and gets what is stored then.
 */
async function append(session: Session, message: Message, promptId?: string): Promise<void> {
  await session.withExclusiveWrite((others) => {
    if (others.length > 0) throw new ContinuedElsewhere()
    if (promptId !== undefined) session.appendCustomEntry("prompt", { id: promptId }) // both are stored, or none
    session.appendMessage(message)
  })
  await session.flush()
}

async function askModel(session: Session, thinkMs: number): Promise<Message> {
  const reply = await askFakeModel(toAnthropicMessages(await session.readContext()))
  await sleep(thinkMs)
  return asMessage(reply)
}

function resultOf({ id, name }: { id: string; name: string }): Message {
  const content = tools[name]?.() ?? [{ type: "text", text: `There is no tool ${name}.` }]
  return { role: "toolResult", toolCallId: id, toolName: name, content }
}

export class ContinuedElsewhere extends Error {
  override message = "Another process has continued this session."
}

const isReply = (message: Message): message is AssistantMessage => message.role === "assistant"
const isResult = (message: Message): message is ToolResultMessage => message.role === "toolResult"

/** The messages from a prompt to the next one. Undefined if the prompt is not stored. */
function turnOf(session: Session, promptId: string): Message[] | undefined {
  let turn: Message[] | undefined
  for (const entry of session.getBranch()) {
    if (isEntry(entry, "custom") && entry.customType === "prompt") {
      if (turn) return turn
      if ((entry.data as { id?: unknown }).id === promptId) turn = []
    } else if (isEntry(entry, "message")) turn?.push(entry.message)
  }
  return turn
}

function asMessage({ content, usage }: FakeAnswer): AssistantMessage {
  const blocks = content.map((block) =>
    block.type === "text" ? block : { type: "toolCall", id: block.id, name: block.name, arguments: block.input },
  )
  const spent = { input: usage.input_tokens, output: usage.output_tokens, cacheRead: 0, cacheWrite: 0 }
  return { role: "assistant", provider: "fake", model: "fake", content: blocks, usage: spent, timestamp: Date.now() }
}
