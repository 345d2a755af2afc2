import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { cachedFolder } from "./cached-folder.js"

/** Another Chromium than the one that comes from npm: for systems that it does not run on. */
const OWN = process.env.TREELOG_CHROMIUM

/** Why there can be no browser here, or undefined. A test that needs one says so when it is skipped. */
export const noBrowser =
  OWN || (process.platform === "linux" && process.arch === "x64")
    ? undefined
    : "the Chromium from npm runs on Linux x64; TREELOG_CHROMIUM names another one"

let launched: Promise<Browser> | undefined

/** The one browser of this worker. It ends with the process. */
export function launch(): Promise<Browser> {
  launched ??= start()
  return launched
}

/** How long a page may take to show something, in milliseconds: a busy machine takes its time, and only what hangs fails. */
const PATIENCE = 300_000

async function start(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: OWN ?? (await unpacked()),
    args: ["--no-sandbox", "--disable-background-networking"],
    headless: true,
    timeout: PATIENCE,
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE)
    return context
  }
  return browser
}

/** The binary is compressed in its package; it is unpacked once for all runs. */
async function unpacked(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")))
  const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  const folder = await cachedFolder(`chromium-${version}`, (unfinished) => unpackInto(unfinished, join(home, "bin")))
  return join(folder, "chromium")
}

/** The package unpacks to wherever temporary files go. */
async function unpackInto(folder: string, packed: string): Promise<void> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    const { inflate } = await import("@sparticuz/chromium")
    await inflate(join(packed, "chromium.br"))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
