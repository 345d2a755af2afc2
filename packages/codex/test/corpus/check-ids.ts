import type { SessionEntry } from "@treelog/session-core"
import type { CodexSession } from "../../src/index.js"

/**
 * Checks that migrated threads have the ids of the originals, up to the first item that the migration dropped.
 * @returns how many threads there were in both
 */
export function checkIds(
  { sessions: originals }: { readonly sessions: readonly CodexSession[] },
  { sessions: migrated }: { readonly sessions: readonly CodexSession[] },
  report: (what: string) => void,
): number {
  let count = 0
  for (const { header, entries } of migrated) {
    const original = originals.find((session) => session.header.id === header.id)
    if (!original) continue
    count++
    const [before, after] = [messagesIn(original.entries), messagesIn(entries)]
    const left = new Set(after.map(textOf))
    const lost = before.findIndex((entry) => !left.has(textOf(entry)))
    const kept = lost < 0 ? before.length : lost
    for (let index = 0; index < kept; index++)
      if (before[index]?.id !== after[index]?.id) {
        report(`${header.id}: message ${index} of ${kept} has another id after the migration`)
        break
      }
  }
  return count
}

function messagesIn(entries: readonly SessionEntry[]): SessionEntry[] {
  return entries.filter(({ type }) => type === "message" || type === "custom_message")
}

function textOf(entry: SessionEntry): string {
  const { content } = "message" in entry ? (entry.message as { content?: unknown }) : (entry as { content?: unknown })
  return `${entry.timestamp} ${JSON.stringify(content)}`
}
