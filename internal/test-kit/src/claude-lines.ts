let count = 0

const replyOf = (turn: number): string => `22222222-0000-4000-8000-${numberOf(turn)}`
const numberOf = (turn: number): string => String(turn).padStart(12, "0")

/** Two lines of Claude Code: what the user says in a session, and the reply. Each call has ids of its own. @param isFirst of the session */
function claudeTurn(id: string, cwd: string, text: string, isFirst: boolean): string[] {
  const parentUuid = isFirst ? null : replyOf(count)
  const number = numberOf(++count)
  const [user, reply] = [`11111111-0000-4000-8000-${number}`, replyOf(count)]
  const common = { sessionId: id, cwd, version: "2.1.0", gitBranch: "main", isSidechain: false, userType: "external" }
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = { id: `msg_${number}`, role: "assistant", model: "claude-x", stop_reason: "end_turn", usage }
  return [
    { ...common, type: "user", uuid: user, parentUuid, message: { role: "user", content: text } },
    {
      ...common,
      type: "assistant",
      uuid: reply,
      parentUuid: user,
      requestId: `req_${number}`,
      message: { ...message, content: [{ type: "text", text: `Reply to ${text}` }] },
    },
  ].map((line, index) => JSON.stringify({ ...line, timestamp: `2026-01-02T03:04:0${index}.000Z` }))
}

/** What was said in a session, one turn after the other, as the content of its file. */
export function claudeFile(id: string, cwd: string, ...said: readonly string[]): string {
  return said
    .flatMap((text, index) => claudeTurn(id, cwd, text, index === 0))
    .join("\n")
    .concat("\n")
}
