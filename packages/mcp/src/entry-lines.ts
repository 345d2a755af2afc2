import type { Message, SessionEntry } from "@treelog/session-core"
import { type EntryFacts, entryFacts } from "@treelog/session-core/search"

/** An entry as text. */
export interface EntryLines {
  /** Empty for a message of a context, which is not an entry. */
  readonly id: string
  /** Empty where the entry has nothing to read. */
  readonly text: string
}

export function entryLines(entry: SessionEntry): EntryLines {
  const facts = entryFacts(entry)
  return { id: facts.id, text: headedTexts(facts, `entry ${facts.id}`) }
}

export function messageLines(message: Message): EntryLines {
  const facts = entryFacts({ type: "message", id: "", parentId: null, timestamp: "", message })
  return { id: "", text: headedTexts(facts, "") }
}

function headedTexts({ texts, timestamp }: EntryFacts, where: string): string {
  return texts
    .map(({ role, tool, text }) => {
      const head = [tool === undefined ? role : `${role} ${tool}`, where, timestamp.slice(0, 16)]
      return `[${head.filter((part) => part !== "").join(", ")}]\n${text}`
    })
    .join("\n\n")
}
