import type { Message, SessionEntry } from "@treelog/session-core"
import { repairContext } from "@treelog/session-core/messages"
import { allKinds } from "@treelog-internal/test-kit/generator"

/** A repaired context with every kind of message and block, and each of its prefixes. */
export function samples(): (readonly Message[])[] {
  const entries = allKinds("pi")
    .slice(1)
    .map((line) => JSON.parse(line) as SessionEntry)
  const messages = entries.flatMap((entry) => ("message" in entry ? [entry.message as Message] : []))
  return messages.map((_, index) => repairContext(messages.slice(0, index + 1)).messages)
}
