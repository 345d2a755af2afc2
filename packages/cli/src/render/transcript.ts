import type { Session, SessionInfo, TranscriptItem } from "@treelog/session-core"
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
export function sessionHeading(session: Session, shown: number, style: Style, cost?: Cost): string {
  const entries = session.getEntries().length
  const header = session.getHeader()
  const { otherContentOf } = header
  const info = {
    id: session.getSessionId(),
    cwd: session.getCwd(),
    name: session.getSessionName(),
    ...sourceOf(header),
    ...(typeof otherContentOf === "string" && { otherContentOf }),
  }
  const size = shown === entries ? "" : ` of ${entries}`
  return headingOf(info, `${plural(shown, "entry", "entries")}${size}`, style, cost)
}

/** @param size how much is shown */
export function headingOf(
  { id, cwd, name = "", agent, person, otherContentOf }: HeadingFacts,
  size: string,
  { paint, glyphs }: Style,
  cost?: Cost,
): string {
  const claimed = otherContentOf && `another content of ${otherContentOf}`
  const origin = [claimed, agent, person && `bundled by ${person}`]
  const details = [id, cwd, ...origin, size, cost ? costText(cost) : ""].map(cleanLine).filter(Boolean)
  const dot = ` ${glyphs.dot} `
  return `${name ? `${paint("bold", cleanLine(name))}${paint("dim", dot)}` : ""}${paint("dim", details.join(dot))}`
}

type HeadingFacts = Pick<SessionInfo, "id" | "cwd" | "agent" | "person" | "otherContentOf"> & {
  readonly name?: string | undefined
}
