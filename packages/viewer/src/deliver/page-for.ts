import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { TreelogError } from "@treelog/session-core"
import { escapeHtml } from "@treelog-internal/text"
import type { CallRates, ListedStores } from "../wire.js"

const HEAD = "<!--treelog:head-->"
const TITLE = "<title>treelog</title>"
const SESSION = "<!--treelog:session-->"

export interface PageOptions {
  /** The title of the page, usually the session's name. Any text. */
  readonly title: string
  /** The file name for saving the session. Any text. */
  readonly fileName: string
  /** The result of `viewerPage`, if you have it. Default: read from the package. */
  readonly page?: string | undefined
  /** What its calls cost: `callRates` of the usages that `sessionStats` finds. Default: only what programs reported. */
  readonly rates?: readonly CallRates[] | undefined
}

interface PageHalves {
  readonly before: string
  readonly after: string
}

/**
 * The page for one session, as the parts before and after its data.
 * @param place where the page gets its session from: blocks in the page, or the server of the page
 * @param options with `home`, the relative address of the page of all sessions, if there is one, whether its server `canShare`, and the
 *   command that goes on with the session
 */
export async function pageFor(
  place: "embedded" | "live",
  options: PageOptions & { readonly home?: string; readonly canShare?: boolean; readonly resume?: string | undefined },
): Promise<PageHalves> {
  const { fileName: name, title, page, home, canShare, resume, rates = [] } = options
  const data = { name, home, shares: canShare ? "" : undefined, resume }
  const prices = rates.length > 0 ? metaTag("rates", JSON.stringify(rates)) : ""
  const { before, after } = await dressed(page, metaTag("session", place, data) + prices, title || "Session")
  return { before: place === "live" ? mayAsk(before) : before, after }
}

export async function storesPage(stores: ListedStores, page: string | undefined): Promise<string> {
  const { before, after } = await dressed(page, metaTag("stores", JSON.stringify(stores)), "Sessions")
  return mayAsk(before) + after
}

/** The page that says that there is nothing at an address. @param home what the link back leads to, if there is one */
export async function missingPage(message: string, home: HomeLink | undefined, page?: string): Promise<string> {
  const data = { home: home?.href, "home-name": home?.name }
  const { before, after } = await dressed(page, metaTag("missing", message, data), "Not found")
  return before + after
}

export interface HomeLink {
  readonly href: string
  readonly name: string
}

/** An element that says something to the page. Undefined data are left out. */
function metaTag(name: string, content: string, data: Readonly<Record<string, string | undefined>> = {}): string {
  const attributes = Object.entries(data).map(([key, value]) =>
    value === undefined ? "" : ` data-${key}="${htmlText(value)}"`,
  )
  return `<meta name="treelog-${name}" content="${htmlText(content)}"${attributes.join("")} />`
}

async function dressed(page: string | undefined, meta: string, title: string): Promise<PageHalves> {
  const [before = "", after = ""] = (page ?? (await viewerPage())).split(SESSION)
  return {
    before: before.replace(HEAD, () => meta).replace(TITLE, () => `<title>${htmlText(title)}</title>`),
    after,
  }
}

/** Allows network requests only from a served page, and only to its own server. */
function mayAsk(page: string): string {
  return page.replace("connect-src 'none'", "connect-src 'self'")
}

/** Control characters, line separators and bidirectional controls. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes a text for HTML text or an attribute value, as one line. */
function htmlText(text: string): string {
  return escapeHtml(text.replace(CONTROLS, " "))
}

/** Next to this code in the package; the sources use the last build. */
const PAGE = new URL("page/index.html", import.meta.url)
const PAGE_FROM_SOURCE = new URL("../../dist/page/index.html", import.meta.url)

/**
 * Reads the viewer as one self-contained HTML file: host it anywhere, or open it from disk. It shows sessions dropped on it.
 * @throws StorageError when the file is missing in the package
 */
export async function viewerPage(): Promise<string> {
  const path = fileURLToPath(import.meta.url.endsWith(".ts") ? PAGE_FROM_SOURCE : PAGE)
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    const errno = error instanceof Error && "code" in error ? String(error.code) : undefined
    const message = `The page of the viewer is not at ${path}: the package is not whole, or was not built.`
    throw new TreelogError("StorageError", message, { key: path, operation: "read", errno }, { cause: error })
  }
}
