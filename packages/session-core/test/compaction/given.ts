import type { AssistantMessage, Message, Session, ToolCall, Usage } from "@treelog/session-core"
import type { Summarizer } from "@treelog/session-core/compaction"
import { assistantMessage, toolResultMessage, userMessage } from "@treelog-internal/test-kit"
import { givenManager } from "../session/given-manager.js"

/** A message of the user of so many tokens. */
export const said = (tokens: number, text = "u"): Message => userMessage(text.padEnd(tokens * 4, "u"))

/** An answer of so many tokens. */
export const answered = (tokens: number, text = "a"): Message => assistantMessage(text.padEnd(tokens * 4, "a"))

export const called = (id: string, name: string, args: Record<string, unknown>): AssistantMessage => {
  const call: ToolCall = { type: "toolCall", id, name, arguments: args }
  return assistantMessage("", { content: [call], stopReason: "toolUse" })
}

export const returned = (id: string, tokens: number, text = "r"): Message =>
  toolResultMessage(text.padEnd(tokens * 4, "r"), { toolCallId: id })

export const USAGE: Usage = {
  input: 100,
  output: 10,
  cacheRead: 5,
  cacheWrite: 1,
  totalTokens: 116,
  cost: { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 },
}

/** A summarizer that answers at once, and remembers what it was asked. */
export function givenSummarizer(text = "## Goal\nThe goal."): {
  asked: Parameters<Summarizer>[0][]
  summarize: Summarizer
} {
  const asked: Parameters<Summarizer>[0][] = []
  const summarize: Summarizer = async (request) => {
    asked.push(request)
    return { text: `${text} (${asked.length})`, usage: USAGE }
  }
  return { asked, summarize }
}

/** A summarizer that answers when the test lets it. */
export function waitingSummarizer(): {
  answer: (text: string) => void
  fail: (error: Error) => void
  summarize: Summarizer
} {
  let answer: (text: string) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const result = new Promise<{ text: string }>((resolve, reject) => {
    answer = (text) => resolve({ text })
    fail = reject
  })
  return { answer, fail, summarize: () => result }
}

export function inMemory(...messages: Message[]): Session {
  const session = givenManager().sessions.inMemory("/project")
  for (const message of messages) session.appendMessage(message)
  return session
}
