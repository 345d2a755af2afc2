import { type CodexFile, type CodexSession, convertCodex } from "@treelog/agents/codex"
import { buildSessionContext, type SessionEntry } from "@treelog/session-core"
import { toOpenAIInput } from "@treelog/session-core/messages"

// Lines of rollouts, as tests write them.

export const A = "01a20000-aaaa-7aaa-8aaa-aaaaaaaaaaaa"
export const B = "01a20000-bbbb-7bbb-8bbb-bbbbbbbbbbbb"
export const C = "01a20000-cccc-7ccc-8ccc-cccccccccccc"

export type Line = readonly [type: string, payload: object]

export const meta = (id: string, fields: object = {}): Line => [
  "session_meta",
  { id, timestamp: "2026-03-07T14:00:00.000Z", cwd: "/home/ada/shop", cli_version: "0.98.0", ...fields },
]
export const item = (payload: object): Line => ["response_item", payload]
export const said = (role: string, ...texts: string[]): Line => {
  const type = role === "assistant" ? "output_text" : "input_text"
  return item({ type: "message", role, content: texts.map((text) => ({ type, text })) })
}
export const event = (type: string, fields: object = {}): Line => ["event_msg", { type, ...fields }]

/** Counts as Codex writes them after a response. */
export const counts = (total: object, last: object | undefined = undefined): Line =>
  event("token_count", { info: { total_token_usage: total, ...(last && { last_token_usage: last }) } })

export const text = (lines: readonly Line[], start = Date.UTC(2026, 2, 7, 14)): string =>
  lines
    .map(([type, payload], index) => {
      const timestamp = new Date(start + index * 1000).toISOString()
      return `${JSON.stringify({ timestamp, type, payload })}\n`
    })
    .join("")

export const file = (id: string, lines: readonly Line[], time = "14-00-00"): CodexFile => ({
  name: `rollout-2026-03-07T${time}-${id}.jsonl`,
  bytes: new TextEncoder().encode(text(lines)),
})

export function only(...files: CodexFile[]): CodexSession {
  const { sessions } = convertCodex(files)
  const [session] = sessions
  if (!session || sessions.length > 1) throw new Error(`There are ${sessions.length} sessions.`)
  return session
}

export const entriesOf = ({ entries }: Pick<CodexSession, "entries">): readonly SessionEntry[] => entries

/** What OpenAI gets of a session. */
export const input = (session: Pick<CodexSession, "entries">) => {
  const { messages } = buildSessionContext(entriesOf(session), undefined, { provider: "openai" })
  return toOpenAIInput(messages, { repair: false })
}
