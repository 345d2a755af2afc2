import type { Session, TranscriptItem } from "@treelog/session-core"
import { sourceOf } from "@treelog/session-core/adapter"
import type { Cost } from "@treelog/session-core/search"
import { cleanLine, costText, plural, type Style } from "@treelog-internal/text"

/** The last messages, and what is between and after them. @param count undefined for all */
export function lastMessages(items: readonly TranscriptItem[], count: number | undefined): readonly TranscriptItem[] {
  if (count === undefined) return items
  const places = items.flatMap(({ message }, at) => (message ? [at] : []))
  return items.slice(places.at(-count) ?? 0)
}

/** Which session is shown: its name and id, where it belongs, who made it, as far as its header says so, how much there is, and what all of it cost. */
export function sessionHeading(session: Session, shown: number, { paint, glyphs }: Style, cost?: Cost): string {
  const name = cleanLine(session.getSessionName())
  const entries = session.getEntries().length
  const size =
    shown === entries ? plural(entries, "entry", "entries") : `${plural(shown, "entry", "entries")} of ${entries}`
  const header = session.getHeader()
  const { agent, person } = sourceOf(header)
  const { otherContentOf: other } = header
  const claimed = typeof other === "string" ? `another content of ${other}` : undefined
  const origin = [claimed, agent, person && `bundled by ${person}`]
  const details = [session.getSessionId(), session.getCwd(), ...origin, size, cost ? costText(cost) : ""]
    .map(cleanLine)
    .filter(Boolean)
  const dot = ` ${glyphs.dot} `
  return `${name ? `${paint("bold", name)}${paint("dim", dot)}` : ""}${paint("dim", details.join(dot))}`
}
