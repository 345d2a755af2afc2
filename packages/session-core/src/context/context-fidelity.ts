import type { AssistantMessage, Message } from "../entry/message.js"
import { lastReply } from "./last-reply.js"

/** Whether a context has the messages that the model got, and why. */
export interface ContextFidelity {
  readonly exactness: "exact" | "approximate" | "unknown"
  /** A sentence for people. */
  readonly reason: string
}

const OWN: ContextFidelity = {
  exactness: "exact",
  reason: "The session's own program builds its contexts from these entries.",
}
const RECORDED: ContextFidelity = {
  exactness: "exact",
  reason: "The agent recorded the request of its last reply in the session, with the reminders that it added.",
}
const REBUILT: ContextFidelity = {
  exactness: "approximate",
  reason:
    "The request of the last reply is not in the session as it was sent: reminders that the agent added, its system prompt and its tools may be missing.",
}
const UNANSWERED: ContextFidelity = {
  exactness: "unknown",
  reason: "No reply of a model is in this context, so nothing says what a model got.",
}

/** Whether a context has what its model got: what its last reply says of the request that it answered. */
export function contextFidelity({ messages }: { readonly messages: readonly Message[] }): ContextFidelity {
  const replies = messages.filter((message): message is AssistantMessage => message.role === "assistant")
  const last = lastReply(messages) ?? replies.at(-1)
  if (!last) return UNANSWERED
  if (last.request === undefined) return OWN
  return last.request === "recorded" ? RECORDED : REBUILT
}
