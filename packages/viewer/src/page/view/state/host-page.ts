import type { ViewAddress } from "./entry-address.js"

/** The page that a session is shown on: the viewer's own, or one that hosts parts. */
export interface HostPage {
  /** Called with the title of the session. Safe to display. */
  setTitle(title: string): void
  address(): ViewAddress
  /** Called when something else is shown. */
  wentTo(address: ViewAddress): void
  /** The address of an entry; undefined where it has none. */
  hrefOf(address: ViewAddress): string | undefined
  /** The id of the transcript of a sub-agent that is shown; undefined for the session itself. */
  readonly agent?: string | undefined
  /** Shows the transcript of a sub-agent instead; undefined where only the session can be shown. */
  openAgent?(id: string): void
  /** Shows the session instead of the transcript of a sub-agent. */
  closeAgent?(): void
}
