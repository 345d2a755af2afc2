import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterEach } from "vitest"
import { launch } from "./launch.js"

/** A page, and what it did unasked: requests, errors, dialogs. */
export interface WatchedPage {
  readonly page: Page
  /** Addresses that were asked for, but for the page's own. */
  readonly requests: string[]
  /** Dialogs, errors, violations of the policy, and calls that an injected script would make. */
  readonly alarms: string[]
}

export type OpenPage = (url: string, options?: BrowserContextOptions) => Promise<WatchedPage>

/** For the tests of a file: opens pages, which are closed after each test. */
export function watchedPages(): OpenPage {
  const open: BrowserContext[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((context) => context.close()))
  })
  return async (url, options = {}) => {
    const browser = await launch()
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options })
    open.push(context)
    return watchedPage(context, url)
  }
}

async function watchedPage(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage()
  const requests: string[] = []
  const alarms: string[] = []
  page.on("request", (request) => {
    if (request.url() !== url.replace(/#.*/, "") && !request.url().startsWith("data:")) requests.push(request.url())
  })
  page.on("dialog", (dialog) => {
    alarms.push(`dialog ${dialog.message()}`)
    return dialog.dismiss()
  })
  page.on("pageerror", (error) => alarms.push(`error ${error.stack}`))
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().includes("tripped")) alarms.push(`console ${message.text()}`)
  })
  page.on("popup", (popup) => alarms.push(`window ${popup.url()}`))
  await context.exposeFunction("tripped", (what: unknown) => alarms.push(`tripped ${what}`))
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      ;(window as unknown as { tripped(what: string): void }).tripped(`policy ${violatedDirective} ${blockedURI}`)
    })
  })
  await page.goto(url)
  return { page, requests, alarms }
}
