import { buildSessionContext, type Message, type SessionEntry } from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { expect, test } from "vitest"

const lostResult = { text: "aborted", isError: true }

const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: {} })

function reply(calls: readonly string[], more: object = { lostResult }): Message {
  return { role: "assistant", content: calls.map(call), provider: "p", model: "m", timestamp: 7, ...more }
}

const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "found" }],
  isError: false,
  timestamp: 8,
})

const said: Message = { role: "user", content: "Go on", timestamp: 9 }

function contextOf(...messages: readonly Message[]) {
  const entries = messages.map((message, at) => ({
    type: "message",
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: new Date(at).toISOString(),
    message,
  }))
  return buildSessionContext(entries as SessionEntry[])
}

/** What a context has, in short, and the entry that it comes from. */
function partsOf({ messages, entries }: ReturnType<typeof contextOf>): string[] {
  return messages.map((message, at) => {
    const one = message as { toolCallId?: string; content: { text?: string }[] }
    const text = one.toolCallId === undefined ? message.role : `${one.toolCallId} ${one.content[0]?.text}`
    return `${entries[at]} ${text}`
  })
}

test("a call that was lost with its process has the result that its agent gives it, in the order of the calls", () => {
  const context = contextOf(said, reply(["a", "b", "c"]), result("b"), said)
  expect(partsOf(context)).toEqual(["e0 user", "e1 assistant", "e1 a aborted", "e2 b found", "e1 c aborted", "e3 user"])
  expect(context.messages[2]).toEqual({
    role: "toolResult",
    toolCallId: "a",
    toolName: "read",
    content: [{ type: "text", text: "aborted" }],
    isError: true,
    timestamp: 7,
  })
})

test("it stands right behind its call where its agent puts it there, and the reply is in pieces", () => {
  const lost = { lostResult: { ...lostResult, isBehindCall: true } }
  const context = contextOf(said, reply(["a", "b", "c"], lost), result("b"), said, reply(["d"], lost), result("d"))
  expect(partsOf(context)).toEqual([
    ...["e0 user", "e1 assistant", "e1 a aborted", "e1 assistant", "e1 c aborted", "e2 b found", "e3 user"],
    ...["e4 assistant", "e5 d found"],
  ])
  const callsOf = (at: number) => (context.messages[at] as { content: { id: string }[] }).content.map(({ id }) => id)
  expect([callsOf(1), callsOf(3)]).toEqual([["a"], ["b", "c"]])
})

test("so has one at the end, before its agent has gone on", () => {
  expect(partsOf(contextOf(said, reply(["a", "b"]), result("a")))).toEqual([
    "e0 user",
    "e1 assistant",
    "e2 a found",
    "e1 b aborted",
  ])
  expect(partsOf(contextOf(said, reply(["a"])))).toEqual(["e0 user", "e1 assistant", "e1 a aborted"])
})

test("of two calls with one id each has its own result", () => {
  const context = contextOf(said, reply(["a"]), said, reply(["a"]), result("a"), said, reply(["a"]))
  expect(partsOf(context)).toEqual([
    "e0 user",
    "e1 assistant",
    "e1 a aborted",
    "e2 user",
    "e3 assistant",
    "e4 a found",
    "e5 user",
    "e6 assistant",
    "e6 a aborted",
  ])
})

test("a result that stands behind the next prompt is the one of its call", () => {
  expect(partsOf(contextOf(said, reply(["a"]), said, result("a")))).toHaveLength(4)
})

test("a call has no other result than a stored one where its agent's words are not known, or are no words", () => {
  for (const more of [{}, { lostResult: null }, { lostResult: { text: 7 } }, { lostResult: "aborted" }])
    expect(partsOf(contextOf(said, reply(["a"], more), said))).toEqual(["e0 user", "e1 assistant", "e2 user"])
})

test("an API accepts the messages as they are", () => {
  const { messages } = contextOf(said, reply(["a"]), said)
  expect(toAnthropicMessages(messages, { repair: false })).toEqual(toAnthropicMessages(messages, { repair: true }))
})
