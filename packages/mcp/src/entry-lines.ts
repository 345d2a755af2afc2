import type { Message, SessionEntry } from "@treelog/session-core"
import { entryFacts } from "@treelog/session-core/search"

/** An entry as text. */
export interface EntryLines {
  /** Empty for a message of a context, which is not an entry. */
  readonly id: string
  /** Empty where the entry has nothing to read. */
  readonly text: string
}

/** What is to be read of an entry; empty where there is nothing. */
export function entryText(entry: SessionEntry): string {
  return headedTexts(entry, `entry ${entry.id}`)
}

export function messageLines(message: Message): EntryLines {
  return { id: "", text: headedTexts({ type: "message", id: "", parentId: null, timestamp: "", message }, "") }
}

function headedTexts(entry: SessionEntry, where: string): string {
  const { texts, timestamp } = entryFacts(entry)
  const { message } = entry as { readonly message?: { readonly isError?: unknown } }
  return texts
    .map(({ role, tool, text }) => {
      const what = [role, tool, role === "toolResult" && message?.isError === true && "failed"]
        .filter(Boolean)
        .join(" ")
      const when = Date.parse(timestamp) === 0 ? "" : timestamp.slice(0, 16)
      const head = [what, where, when].filter((part) => part !== "").join(", ")
      // A call is found by the name of its tool too, which is in the head.
      return `[${head}]\n${role === "toolCall" && text.startsWith(`${tool}\n`) ? text.slice(`${tool}\n`.length) : text}`
    })
    .join("\n\n")
}
