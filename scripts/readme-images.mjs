// npm run readme-images: makes the pictures of README.md from sample sessions: the output of two commands as an SVG, and
// screenshots of the viewer and of the page of all sessions in the Chromium of the browser tests. The sessions are the same in every run.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildPackages } from "./build-packages.mjs"
import { bundle } from "./bundle.mjs"
import { ensureInstalled } from "./setup.mjs"
import { terminalSvg } from "./terminal-svg.mjs"
import { ROOT } from "./tools.mjs"

const IMAGES = join(ROOT, "docs", "images")
const BROWSER_TESTS = join(ROOT, "internal", "browser")
const MAIN = join(ROOT, "packages", "cli", "dist", "main.js")
const START = Date.UTC(2025, 10, 24, 9)
const HOUR = 3_600_000
/** When the screenshots are taken: a Friday, in the time zone of the tests. */
const NOW = START + 4 * 24 * HOUR + 7 * HOUR

/** Runs the command on the sample store, and returns what it prints. */
function treelog(home, ...args) {
  const { NO_COLOR: _, TREELOG_AGENT_DIR: __, ...rest } = process.env
  const env = { ...rest, HOME: home, TZ: "UTC", FORCE_COLOR: "1", TREELOG_CACHE_DIR: join(home, "cache") }
  return execFileSync(process.execPath, [MAIN, ...args], { cwd: home, env, encoding: "utf8" })
}

/** Sessions of a few projects, an hour or more apart. The last one has a branch and a compaction. */
async function makeSessions(home) {
  const { SessionManager } = await import("../packages/session-core/dist/index.js")
  const { FileSessionStorage } = await import("../packages/storage-fs/dist/index.js")
  let time = START
  let count = 0
  const clock = { now: () => time }
  const id = () => (0x5e40b900 + count++ * 0x13577531).toString(16).slice(-8).padStart(8, "0")
  const ids = { entryId: id, sessionId: () => `${id()}-0000-7000-8000-000000000000`, uuid: id }
  const storage = new FileSessionStorage({ agentDir: join(home, ".treelog", "agent"), env: { HOME: home } })
  const sessions = new SessionManager({ storage, clock, ids })
  const user = (content) => ({ role: "user", content, timestamp: clock.now() })
  const assistant = (text) => ({
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    stopReason: "stop",
    timestamp: clock.now(),
  })

  for (const [folder, question, answer, name] of [
    ["/home/me/api", "Which endpoints have no rate limit?", "Three of them: /search, /export and /login."],
    ["/home/me/shop", "Why is the build red?", "The disk of the runner is full.", "Red build"],
    ["/home/me/docs", "Translate the change log", undefined],
  ]) {
    time += 26 * HOUR
    const session = await sessions.create(folder)
    session.appendMessage(user(question))
    if (answer) session.appendMessage(assistant(answer))
    if (name) session.appendSessionInfo(name)
    await session.close()
  }

  time += 3 * HOUR
  const session = await sessions.create("/home/me/shop")
  session.appendSessionInfo("Discount field")
  session.appendMessage(user("Add a discount code field to the checkout"))
  const answer = session.appendMessage(assistant("Done: the field is there."))
  session.appendLabelChange(answer, "field-works")
  session.appendMessage(user("Could the whole form be rewritten with hooks?"))
  session.appendMessage(assistant("I rewrote it. Eleven tests fail now."))
  session.branchWithSummary(answer, "Hooks broke eleven tests.")
  const kept = session.appendMessage(user("Then only fix the validation"))
  session.appendCompaction("## Done\nThe field.", kept, 48_200)
  session.appendMessage(assistant("Fixed: expired codes are refused."))
  await session.close()
}

function commandsSvg(home) {
  const show = (...args) => `\u001b[1m$ treelog ${args.join(" ")}\u001b[22m\n${treelog(home, ...args)}`
  return terminalSvg(`${show("list", "--all")}\n${show("tree", "--all", "@last")}`)
}

/** What the browser tests show, as modules. */
async function loadSamples() {
  const names = ["launch", "sample-session", "sample-stores", "pictures"]
  await bundle(BROWSER_TESTS, {
    entryPoints: names.map((name) => `src/${name}.ts`),
    packages: "external",
    alias: { "@treelog-internal/test-kit/generator": "../test-kit/src/generator/index.ts" },
  })
  const modules = await Promise.all(
    names.map((name) => import(pathToFileURL(join(BROWSER_TESTS, "dist", `${name}.js`)).href)),
  )
  const samples = Object.assign({}, ...modules)
  if (samples.noBrowser) throw new Error(samples.noBrowser)
  return samples
}

/** A page as a browser shows it at the time of the sample. */
async function screenshot(browser, { url, ready, width = 1200, height }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: "light",
    locale: "en-US",
    timezoneId: "UTC",
  })
  const tab = await context.newPage()
  await tab.clock.setFixedTime(NOW)
  await tab.goto(url)
  await tab.waitForSelector(ready)
  await tab.waitForFunction(() => !document.querySelector(".count")?.textContent.includes("reading"))
  await tab.evaluate(() => document.fonts.ready)
  return await tab.screenshot()
}

/** A page that `treelog export` wrote. */
async function viewerPng(home, browser, { sampleSession, hashOf, picture }) {
  const image = picture(40, 20, [29, 107, 75])
  const page = join(home, "session.html")
  writeFileSync(join(home, "session.jsonl"), sampleSession(image.toString("base64"), hashOf(image)))
  treelog(home, "export", join(home, "session.jsonl"), "--quiet", "-o", page)
  const ready = "[role=feed][aria-busy=false] article"
  return screenshot(browser, { url: pathToFileURL(page).href, ready, height: 560 })
}

/** The page of all sessions, and the usage on it. */
async function storesPngs(browser, { sampleStores, libraryOfStores }) {
  const { serveStores } = await import("../packages/viewer/dist/index.js")
  const sessions = libraryOfStores(await sampleStores({ count: 240, now: NOW }))
  const token = "a-token-for-the-pictures"
  const served = await serveStores({ sessions, token, port: 0, now: () => NOW })
  try {
    return {
      "sessions.png": await screenshot(browser, { url: served.url, ready: ".session-row", height: 520 }),
      "usage.png": await screenshot(browser, { url: `${served.url}#usage`, ready: ".calendar", height: 640 }),
    }
  } finally {
    await served.close()
  }
}

async function writePngs(home) {
  const samples = await loadSamples()
  const browser = await samples.launch()
  try {
    const pngs = { "viewer.png": await viewerPng(home, browser, samples), ...(await storesPngs(browser, samples)) }
    for (const [name, png] of Object.entries(pngs)) writeFileSync(join(IMAGES, name), png)
  } finally {
    await browser.close()
  }
}

const home = mkdtempSync(join(tmpdir(), "treelog-images-"))
try {
  await ensureInstalled()
  await buildPackages("build", "cli")
  await makeSessions(home)
  mkdirSync(IMAGES, { recursive: true })
  writeFileSync(join(IMAGES, "terminal.svg"), commandsSvg(home))
  await writePngs(home)
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
