// npm run readme-images: makes the pictures of README.md from sample sessions: the output of two commands as an SVG, and a
// screenshot of the viewer in the Chromium of the browser tests. The sessions are the same in every run.
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

/** A page that `treelog export` wrote, as a browser shows it. */
async function viewerPng(home) {
  await bundle(BROWSER_TESTS, {
    entryPoints: ["launch", "sample-session", "pictures"].map((name) => `src/${name}.ts`),
    packages: "external",
  })
  const load = (name) => import(pathToFileURL(join(BROWSER_TESTS, "dist", `${name}.js`)).href)
  const [{ launch, noBrowser }, { sampleSession }, { hashOf, picture }] = await Promise.all(
    ["launch", "sample-session", "pictures"].map(load),
  )
  if (noBrowser) throw new Error(noBrowser)
  const image = picture(40, 20, [29, 107, 75])
  const page = join(home, "session.html")
  writeFileSync(join(home, "session.jsonl"), sampleSession(image.toString("base64"), hashOf(image)))
  treelog(home, "export", join(home, "session.jsonl"), "--quiet", "-o", page)
  const browser = await launch()
  try {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 560 }, colorScheme: "light" })
    await tab.goto(pathToFileURL(page).href)
    await tab.waitForSelector("[role=feed][aria-busy=false] article")
    await tab.evaluate(() => document.fonts.ready)
    return await tab.screenshot()
  } finally {
    await browser.close()
  }
}

const home = mkdtempSync(join(tmpdir(), "treelog-images-"))
try {
  await ensureInstalled()
  await buildPackages("cli")
  await makeSessions(home)
  mkdirSync(IMAGES, { recursive: true })
  writeFileSync(join(IMAGES, "terminal.svg"), commandsSvg(home))
  writeFileSync(join(IMAGES, "viewer.png"), await viewerPng(home))
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
