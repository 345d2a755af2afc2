import type { Message, SessionEntry, SessionHeader } from "@treelog/session-core"
import { testTime } from "./clock.js"
import { assistantMessage, userMessage } from "./messages.js"

export function testHeader(fields: Partial<SessionHeader> = {}): SessionHeader {
  return { type: "session", version: 3, id: "test-session", timestamp: testTime(), cwd: "/project", ...fields }
}

/** An entry of any type. */
export function entry(
  type: string,
  id: string,
  parentId: string | null,
  fields: Record<string, unknown> = {},
): SessionEntry {
  return { type, id, parentId, timestamp: testTime(), ...fields } as SessionEntry
}

export function messageEntry(id: string, parentId: string | null, message: Message): SessionEntry {
  return entry("message", id, parentId, { message })
}

export function userEntry(id: string, parentId: string | null, text = id): SessionEntry {
  return messageEntry(id, parentId, userMessage(text))
}

export function assistantEntry(id: string, parentId: string | null, text = id): SessionEntry {
  return messageEntry(id, parentId, assistantMessage(text))
}

/** Gives each entry the one before it as its parent. */
export function chain(...entries: SessionEntry[]): SessionEntry[] {
  return entries.map((one, index) => ({ ...one, parentId: entries[index - 1]?.id ?? null }) as SessionEntry)
}
