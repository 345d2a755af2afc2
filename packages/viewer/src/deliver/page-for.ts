import { htmlText } from "./html-text.js"
import { viewerPage } from "./viewer-page.js"

const HEAD = "<!--treelog:head-->"
const TITLE = "<title>treelog</title>"
const SESSION = "<!--treelog:session-->"

/** Where the page gets its session from: blocks in itself, or the server that it came from. */
export type SessionPlace = "embedded" | "live"

export interface PageOptions {
  /** What the window is called: the session's name, as a rule. Any text. */
  readonly title: string
  /** What the session is called where it is saved as a file. Any text. */
  readonly fileName: string
  /** What `viewerPage` gave, where that is at hand. */
  readonly page?: string | undefined
}

/** The page for one session, as what stands before its data and what stands behind. */
export async function pageFor(
  place: SessionPlace,
  { title, fileName, page }: PageOptions,
): Promise<{ readonly before: string; readonly after: string }> {
  const [before = "", after = ""] = (page ?? (await viewerPage())).split(SESSION)
  const meta = `<meta name="treelog-session" content="${place}" data-name="${htmlText(fileName)}" />`
  const dressed = before
    .replace(HEAD, () => meta)
    .replace(TITLE, () => `<title>${htmlText(title) || "Session"}</title>`)
  return { before: place === "live" ? mayAsk(dressed) : dressed, after }
}

/** Only a page that is served may ask, and only the server that it came from. */
function mayAsk(page: string): string {
  return page.replace("connect-src 'none'", "connect-src 'self'")
}
