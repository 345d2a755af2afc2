import { htmlText } from "./html-text.js"
import { viewerPage } from "./viewer-page.js"

const HEAD = "<!--treelog:head-->"
const TITLE = "<title>treelog</title>"
const SESSION = "<!--treelog:session-->"

/** Where the page gets its session from: blocks in the page, or the server of the page. */
export type SessionPlace = "embedded" | "live"

export interface PageOptions {
  /** The title of the page, usually the session's name. Any text. */
  readonly title: string
  /** The file name for saving the session. Any text. */
  readonly fileName: string
  /** The result of `viewerPage`, if you have it. Default: read from the package. */
  readonly page?: string | undefined
}

/** The page for one session, as the parts before and after its data. */
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

/** Allows network requests only from a served page, and only to its own server. */
function mayAsk(page: string): string {
  return page.replace("connect-src 'none'", "connect-src 'self'")
}
