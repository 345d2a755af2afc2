// The fragment of the address of a session: `#ENTRY?agent=ID&branch=LEAF&beside=LEAF`. All parts are optional.

import { encodedId } from "../../source/ask-routes.js"

/** What a session's page shows, as far as its address says so. */
export interface ViewAddress {
  /** The id of the current entry. */
  readonly entry?: string | undefined
  /** The transcript of a sub-agent that is shown instead of the session. */
  readonly agent?: string | undefined
  /** The id of the entry at the end of the branch that is shown, where another one is beside it. */
  readonly branch?: string | undefined
  /** The id of the entry at the end of that one. */
  readonly beside?: string | undefined
}

/** The fragment of an address, with `#`. */
export function writeViewAddress({ entry = "", agent, branch, beside }: ViewAddress): string {
  const more = Object.entries({ agent, branch, beside }).flatMap(([name, id]) =>
    id === undefined ? [] : [`${name}=${encodedId(id)}`],
  )
  return `#${encodedId(entry)}${more.length > 0 ? `?${more.join("&")}` : ""}`
}

/** Reads the fragment of the page's address. What it does not know is left out. */
export function readViewAddress(hash = location.hash): ViewAddress {
  const [entry = "", query = ""] = hash.slice(1).split(/\?(.*)/s)
  const given = new Map(query.split("&").map((part) => part.split("=", 2) as [string, string | undefined]))
  const idIn = (part: string | undefined): string | undefined => (part ? decoded(part) : undefined)
  const [agent, branch, beside] = ["agent", "branch", "beside"].map((name) => idIn(given.get(name)))
  return { entry: idIn(entry), agent, branch, beside }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    // The URL was typed and is not valid.
    if (error instanceof URIError) return part
    throw error
  }
}

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
