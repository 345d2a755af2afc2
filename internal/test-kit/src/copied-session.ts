import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"

/** A PNG of one pixel, in base64. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const
const text = (said: string) => ({ type: "text", text: said }) as const
const call = (id: string, name: string, args: Record<string, unknown>) =>
  ({ type: "toolCall", id, name, arguments: args }) as const

/** The name of the session, which lists show. */
export const NAME = "Find the wrong sum é"
/** How the copy begins. */
export const FIRST = "Why is the sum wrong? 🧮"

/**
 * A session of Claude Code with what makes a copy difficult: two calls in one reply, a failed call, one without a result, pictures in a prompt and in a
 * result, signed thinking, a tool that others do not know, ids that are no ASCII, two branches, a name, and a compaction.
 * @param isCompacted whether there is one
 */
export async function sampleSession(cwd: string, isCompacted: boolean): Promise<Session> {
  const storage = new MemorySessionStorage()
  const session = await new SessionManager({ storage }).create(cwd)
  let time = Date.parse("2026-11-20T10:00:00Z")
  const said = (content: string | object[]): string =>
    session.appendMessage({ role: "user", content: content as string, timestamp: time++ })
  const answered = (...content: object[]): string =>
    session.appendMessage({
      role: "assistant",
      content: content as [],
      provider: "anthropic",
      api: "anthropic-messages",
      model: "claude-opus-4-1",
      stopReason: "stop",
      timestamp: time++,
    })
  const result = (toolCallId: string, toolName: string, content: object[], isError = false): string =>
    session.appendMessage({
      role: "toolResult",
      toolCallId,
      toolName,
      content: content as [],
      isError,
      timestamp: time++,
    })
  const thinking = { type: "thinking", thinking: "Let me see.", thinkingSignature: "c2lnbmVk" }
  session.appendSessionInfo(NAME)
  said(FIRST)
  answered(
    thinking,
    text("I look."),
    call("toolu_1", "Bash", { command: "cat sum.ts", description: "Read it" }),
    call("toolu_2", "Read", { file_path: `${cwd}/sum.ts`, limit: 20 }),
  )
  result("toolu_1", "Bash", [text("export const sum = 1")])
  result("toolu_2", "Read", [text("1\texport const sum = 1")])
  const fork = answered(text("It is a constant."))
  said("Another way to ask.")
  answered(text("On another branch."))
  session.branch(fork)
  said([text("What is this picture?"), image])
  answered(call("toolu_é_3", "Read", { file_path: "one.png" }), call("toolu_4", "mcp__local__look", { at: "it" }))
  result("toolu_é_3", "Read", [text("It has:"), image])
  result("toolu_4", "mcp__local__look", [text("Exit code 1")], true)
  answered(text("A pixel."))
  if (isCompacted) {
    const kept = said("Keep this.")
    answered(text("Kept."))
    session.appendCompaction("They looked for a wrong sum.", kept, 12_000)
    said("And then?")
    answered(text("Then we go on."))
  }
  said("Wait a while.")
  answered(call("toolu_5", "Bash", { command: "sleep 100" }))
  said("Are you there?")
  answered(text("I am."))
  return session
}

/** A session without a name, in which a program says something before the first prompt. */
export function unnamedSession(cwd: string): Session {
  const session = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd)
  session.appendCustomMessageEntry("hook", "The tests failed.", true)
  session.appendMessage({ role: "user", content: "\nWhere is it?\nIn which file?", timestamp: 1 })
  return session
}

/** What the sub-agent says that `addSubAgent` adds. */
export const OF_SUB_AGENT = "The sum is in sum.ts."

/** Adds a call that a sub-agent answered, and an answer to it. @returns its transcript, for writers */
export function addSubAgent(session: Session): () => AsyncGenerator<{ name: string; session: Session }> {
  const name = "subagents/agent-a1.jsonl"
  let time = Date.parse("2026-11-20T11:00:00Z")
  const from = { provider: "anthropic", api: "anthropic-messages", model: "claude-opus-4-1" }
  const answered = (to: Session, ...content: object[]): string =>
    to.appendMessage({ role: "assistant", content: content as [], ...from, stopReason: "stop", timestamp: time++ })
  const args = { description: "Find it", prompt: "Find the sum", subagent_type: "general-purpose" }
  session.appendMessage({ role: "user", content: "Find it with an agent.", timestamp: time++ })
  answered(session, call("toolu_6", "Agent", args))
  const result = { role: "toolResult", toolCallId: "toolu_6", toolName: "Agent", isError: false } as const
  session.appendMessage({ ...result, content: [text(OF_SUB_AGENT)], timestamp: time++ })
  session.appendCustomEntry("treelog.part", { name, role: "subagent", call: "toolu_6", title: "Find it" })
  answered(session, text("The agent found it."))
  const sessions = new SessionManager({ storage: new MemorySessionStorage() })
  const written = sessions.create(session.getCwd()).then(async (part) => {
    part.appendMessage({ role: "user", content: "Find the sum", timestamp: time++ })
    answered(part, call("toolu_7", "Bash", { command: "ls" }))
    const found = { role: "toolResult", toolCallId: "toolu_7", toolName: "Bash", isError: false } as const
    part.appendMessage({ ...found, content: [text("sum.ts")], timestamp: time++ })
    answered(part, text(OF_SUB_AGENT))
    await part.close()
    return part.getSessionFile() ?? ""
  })
  return async function* () {
    const part = await sessions.open(await written, { access: "read" })
    yield { name, session: part }
    await part.close()
  }
}
