import type { Session } from "@treelog/session-core"
import type { Style } from "@treelog-internal/text"
import { cleanLine, plural } from "@treelog-internal/text"

/** Which session is shown: its name and id, where it belongs, how much there is. */
export function sessionHeading(session: Session, shown: number, { paint, glyphs }: Style): string {
  const name = cleanLine(session.getSessionName())
  const entries = session.getEntries().length
  const size =
    shown === entries ? plural(entries, "entry", "entries") : `${plural(shown, "entry", "entries")} of ${entries}`
  const details = [session.getSessionId(), cleanLine(session.getCwd()), size].map(cleanLine).filter(Boolean)
  const dot = ` ${glyphs.dot} `
  return `${name ? `${paint("bold", name)}${paint("dim", dot)}` : ""}${paint("dim", details.join(dot))}`
}
