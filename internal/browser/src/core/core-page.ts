import type { BrowserContext, Page } from "playwright-core"
import { afterEach } from "vitest"
import { launch } from "../launch.js"
import { coreBundle } from "./core-bundle.js"

/** Nothing is ever asked of it: all answers come from here. Databases and locks need a secure context. */
const ORIGIN = "https://core.test"

const PAGE = '<!doctype html><meta charset="utf-8"><title>core</title><input type="file">'

/** For the tests of a file: opens empty pages of one origin that can load a script, which are closed after each test. */
export function corePages(): (script: string) => Promise<CorePage> {
  const open: BrowserContext[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((context) => context.close()))
  })
  return async (script) => {
    const context = await (await launch()).newContext()
    open.push(context)
    const bundle = await coreBundle(script)
    await context.route(`${ORIGIN}/**`, (route) =>
      route.request().url().endsWith(".js")
        ? route.fulfill({ body: bundle, contentType: "text/javascript" })
        : route.fulfill({ body: PAGE, contentType: "text/html" }),
    )
    return { open: () => opened(context), context }
  }
}

export interface CorePage {
  readonly context: BrowserContext
  /** A page of the origin; several of them share their databases and locks. */
  open(): Promise<Page>
}

async function opened(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${ORIGIN}/`)
  return page
}

/** Calls a function that the script exports, in the page. What it gives must survive as JSON. */
export function inPage<T>(page: Page, name: string, ...values: unknown[]): Promise<T> {
  // As text: what vitest makes of an `import()` knows no page.
  return page.evaluate(
    `import("/script.js").then((script) => script[${JSON.stringify(name)}](...${JSON.stringify(values)}))`,
  )
}

/** Calls a function of the script in a worker of its own; the script must be `withWorker`. */
export function inWorker<T>(page: Page, name: string, ...values: unknown[]): Promise<T> {
  return page.evaluate(
    ([name, values]) =>
      new Promise<T>((resolve, reject) => {
        const worker = new Worker("/script.js", { type: "module" })
        worker.onerror = (event) => reject(new Error(event.message))
        worker.onmessage = ({ data }) => {
          worker.terminate()
          if ("failure" in data) reject(new Error(data.failure))
          else resolve(data.value)
        }
        worker.postMessage([name, values])
      }),
    [name, values] as const,
  )
}

/** A script whose exported functions can be called in a worker too. */
export function withWorker(exported: string): string {
  return `${exported}
    if (typeof WorkerGlobalScope !== "undefined") {
      self.onmessage = async ({ data: [name, values] }) => {
        try {
          self.postMessage({ value: await (await import(self.location.href))[name](...values) })
        } catch (error) {
          self.postMessage({ failure: String(error?.stack ?? error) })
        }
      }
    }`
}
