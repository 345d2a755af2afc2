// A chat of the Vercel AI SDK whose conversations outlive the server: each is a session, resumed by its id and, if you like, at a
// leaf of its tree. A prompt that is edited, or an answer that is asked for again, becomes a branch. `useChat` sends it with
//   prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) =>
//     ({ body: { id, message: trigger === "submit-message" ? messages.at(-1) : undefined, replaces: messageId } })

import { isTreelogError, type Session, type SessionManager, type Usage } from "@treelog/session-core"
import { fromUIMessages, toModelMessages, toUIMessages } from "@treelog/session-core/messages"
import { generateId, type LanguageModel, stepCountIs, streamText, type ToolSet, type UIMessage } from "ai"

/** The messages of a chat, for `useChat({ messages })`. @param leaf the entry that they end at; by default the last one */
export async function chatMessages(sessions: SessionManager, id: string, leaf?: string): Promise<UIMessage[]> {
  const session = await sessions.open({ id }, { access: "read" })
  try {
    return toUIMessages<UIMessage>(session.getBranch(leaf))
  } finally {
    await session.close()
  }
}

/** Goes back to before a message, if there is one with that id. */
function goBefore(session: Session, messageId: string): void {
  const isIt = (message: UIMessage): boolean => message.id === messageId
  const entry = session
    .getEntries()
    .reverse()
    .find((one) => toUIMessages<UIMessage>([one]).some(isIt))
  if (entry?.parentId) session.branch(entry.parentId)
  else if (entry) session.resetLeaf()
}

/** How an answer ended that is not complete. */
const STOP_REASONS: Readonly<Record<string, string>> = { length: "length", error: "error", "content-filter": "error" }

/** Answers a prompt. What was said is on the disk before the model is asked, and the answer when the stream ends. */
export async function chat(sessions: SessionManager, model: LanguageModel, tools: ToolSet, request: Request) {
  type Body = { id: string; leaf?: string; message?: UIMessage; replaces?: string }
  const { id, leaf, message, replaces } = (await request.json()) as Body
  const session = await sessions.open({ id }).catch((error) => {
    if (isTreelogError(error, "SessionNotFoundError")) return sessions.create("/chat", { id })
    throw error
  })
  const append = (said: UIMessage, more: { usage?: Usage; stopReason?: string } = {}): void => {
    const facts = {
      provider: "ai-sdk",
      model: typeof model === "string" ? model : model.modelId,
      timestamp: Date.now(),
    }
    for (const entry of fromUIMessages([said], { ...facts, ...more })) session.appendMessage(entry)
  }
  if (leaf !== undefined) session.branch(leaf)
  if (replaces !== undefined) goBefore(session, replaces)
  if (message) append(message)
  await session.flush()

  let usage: Usage | undefined
  const result = streamText({
    model,
    tools,
    messages: toModelMessages(await session.readContext()),
    stopWhen: stepCountIs(20),
    onFinish: ({ totalUsage: { inputTokens = 0, outputTokens = 0 } }) => {
      usage = { input: inputTokens, output: outputTokens, cacheRead: 0, cacheWrite: 0 }
    },
  })
  result.consumeStream() // to its end, even if the reader leaves
  return result.toUIMessageStreamResponse({
    generateMessageId: generateId,
    onFinish: async ({ responseMessage, isAborted, finishReason = "" }) => {
      const stopReason = isAborted ? "aborted" : STOP_REASONS[finishReason]
      append(responseMessage, { ...(usage && { usage }), ...(stopReason && { stopReason }) })
      await session.close()
    },
  })
}
