import type { Session, SessionInfo, TranscriptItem } from "@treelog/session-core"
import { sourceOf } from "@treelog/session-core/adapter"
import type { Cost } from "@treelog/session-core/search"
import { cleanLine, costText, plural, type Style } from "@treelog-internal/text"

/** The last messages, and what is between and after them. */
export function lastMessages(items: Iterable<TranscriptItem>, count: number): TranscriptItem[] {
  const last: TranscriptItem[] = []
  let messages = 0
  const dropUpToMessage = (): void => {
    while (last[0] && !last[0].message) last.shift()
  }
  for (const item of items) {
    last.push(item)
    if (!item.message || ++messages <= count) continue
    messages--
    dropUpToMessage()
    last.shift()
    dropUpToMessage()
  }
  return last
}

/** Which session is shown: its name and id, where it belongs, who made it, as far as its header says so, how much there is, and what all of it cost. */
export function sessionHeading(session: Session, shown: number, style: Style, cost?: Cost): string {
  const entries = session.getEntryCount()
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
