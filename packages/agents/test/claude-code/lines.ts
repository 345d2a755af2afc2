import { type ConvertedSession, convertClaudeCode } from "@treelog/agents/claude-code"
import { buildSessionContext, contentText, type SessionEntry } from "@treelog/session-core"

type Fields = Record<string, unknown>

let second = 0

/** A line of the conversation. Its uuid is `id`, which hangs on `parent`. */
export function line(type: string, id: string, parent: string | null, fields: Fields = {}): Fields {
  second += 1
  const timestamp = new Date(Date.UTC(2026, 1, 10, 9, 0, second)).toISOString()
  const common = { cwd: "/home/ada/shop", sessionId: "s1", version: "2.1.42", gitBranch: "main", isSidechain: false }
  return { parentUuid: parent, ...common, type, uuid: id, timestamp, ...fields }
}

export function user(id: string, parent: string | null, content: unknown, fields: Fields = {}): Fields {
  return line("user", id, parent, { message: { role: "user", content }, ...fields })
}

/** A line of a reply; those with the same message id are one reply. */
export function reply(
  id: string,
  parent: string | null,
  content: unknown,
  message: Fields = {},
  fields: Fields = {},
): Fields {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
  const whole = {
    id: `msg_${id}`,
    role: "assistant",
    model: "claude-opus-4-6",
    content,
    stop_reason: null,
    usage,
    ...message,
  }
  return line("assistant", id, parent, { message: whole, requestId: "req_1", ...fields })
}

export function text(value: string): Fields {
  return { type: "text", text: value }
}

export function call(id: string, name = "Bash"): Fields {
  return { type: "tool_use", id, name, input: { command: "ls" } }
}

export function result(id: string, parent: string | null, ...calls: string[]): Fields {
  const content = calls.map((tool_use_id) => ({ type: "tool_result", tool_use_id, content: `of ${tool_use_id}` }))
  return user(id, parent, content, { toolUseResult: { stdout: "" } })
}

export function system(id: string, parent: string | null, subtype: string, fields: Fields = {}): Fields {
  return line("system", id, parent, { subtype, ...fields })
}

export function convert(...lines: (Fields | string | readonly Fields[])[]): ConvertedSession {
  const texts = lines.flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
  return convertClaudeCode(`${texts.join("\n")}\n`, { name: "s1" })
}

/** Entries as `id<parent`, in their order. */
export function links(entries: readonly SessionEntry[]): string {
  return entries.map(({ id, parentId }) => `${id}<${parentId ?? ""}`).join(" ")
}

/** The same without what is kept as it is. */
export function messageLinks(entries: readonly SessionEntry[]): string {
  return links(entries.filter(({ type }) => type !== "custom"))
}

/** What the model gets at the leaf, as texts. */
export function spoken(entries: readonly SessionEntry[]): string[] {
  return buildSessionContext(entries).messages.map((message) =>
    "summary" in message ? String(message.summary) : contentText("content" in message ? message.content : ""),
  )
}
