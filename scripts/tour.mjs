// npm start: a tour of the main features, with sample sessions in a temporary folder. The code that is shown is the code that
// runs, and the text under a `$` is the output of the built command. Clock and ids are fixed, so every run is the same.

import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "../packages/session-core/dist/index.js"
import { FileSessionStorage } from "../packages/storage-fs/dist/index.js"
import { ROOT } from "./tools.mjs"

const MAIN = join(ROOT, "packages", "cli", "dist", "main.js")
const HAS_COLOURS = process.stdout.isTTY === true && !process.env.NO_COLOR
const START = Date.UTC(2025, 10, 24, 14)
const MINUTE = 60_000

const paint = (code, text) => (HAS_COLOURS ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = (text) => paint(1, text)
const dim = (text) => (text === "" ? "" : paint(2, text))
const print = (text = "") => process.stdout.write(`${text}\n`)
const indented = (text) => text.replace(/^(?=.)/gm, "  ")

/** A clock that advances by a minute with every call. */
function steadyClock() {
  let time = START - MINUTE
  return { now: () => (time += MINUTE) }
}

/** Ids that look like real ones, and are the same in every run. */
function steadyIds() {
  let count = 0
  const next = (length) => createHash("sha256").update(`treelog ${count++}`).digest("hex").slice(0, length)
  const uuid = (begin) => [begin.slice(0, 8), begin.slice(8, 12), `7${next(3)}`, `a${next(3)}`, next(12)].join("-")
  return {
    entryId: () => next(8),
    sessionId: (now) => uuid(now.toString(16).padStart(12, "0")),
    uuid: () => uuid(next(12)),
  }
}

let chapters = 0

function chapter(title, text) {
  chapters += 1
  print(`\n${bold(paint(36, `${chapters}. ${title}`))}\n`)
  print(text)
}

/** Prints the body of the function, and runs it. */
async function code(work) {
  const lines = work.toString().split("\n").slice(1, -1)
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)))
  print(`\n${lines.map((line) => paint(33, `    ${line.slice(indent)}`)).join("\n")}`)
  return work()
}

/** Replaces the name of the temporary folder, which is random, and of the bucket that is named after it. */
const shown = (text, home) =>
  text.replaceAll(home, "~").replaceAll(home.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-"), "home-me")

/** Prints a command line and the output of the command. */
function commandIn(home, cwd) {
  const { FORCE_COLOR: _, NO_COLOR: __, TREELOG_AGENT_DIR: ___, ...rest } = process.env
  const colours = HAS_COLOURS ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }
  const env = { ...rest, ...colours, HOME: home, TZ: "UTC" }
  return (...args) =>
    new Promise((resolve) => {
      print(`\n${bold(`  $ treelog ${args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(" ")}`)}\n`)
      execFile(process.execPath, [MAIN, ...args], { cwd, env }, (error, stdout, stderr) => {
        print(indented(shown(`${stdout}${dim(stderr.trimEnd())}`, home).trimEnd()))
        if (error && typeof error.code === "number" && error.code > 0) print(dim(`  (exit code ${error.code})`))
        resolve()
      })
    })
}

/** Messages in the form that an agent appends. */
function speakers({ now }) {
  const text = (words) => [{ type: "text", text: words }]
  return {
    user: (words) => ({ role: "user", content: words, timestamp: now() }),
    assistant: (words, ...calls) => ({
      role: "assistant",
      content: [...text(words), ...calls],
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp: now(),
    }),
    result: ({ id, name }, words) => ({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content: text(words),
      isError: false,
      timestamp: now(),
    }),
  }
}

async function tour(home) {
  const shop = join(home, "shop")
  mkdirSync(shop)
  const treelog = commandIn(home, shop)
  const clock = steadyClock()
  const storage = new FileSessionStorage({ agentDir: join(home, ".treelog", "agent"), env: { HOME: home } })
  const sessions = new SessionManager({ storage, clock, ids: steadyIds() })
  const { user, assistant, result } = speakers(clock)

  print(bold("treelog: a tour"))
  print(dim("Sample sessions in a temporary folder: shown as ~, and removed at the end."))

  chapter("A conversation", "An agent appends messages. Each entry is a line of a file,\nand has the id of its parent.")
  const session = await sessions.create(shop)
  const read = { type: "toolCall", id: "call_1", name: "read", arguments: { path: "src/form.tsx" } }
  let answer
  await code(async () => {
    session.appendModelChange("anthropic", "claude-sonnet-4-5")
    session.appendMessage(user("Add a discount code field to the checkout"))
    session.appendMessage(assistant("I will look at the form.", read))
    session.appendMessage(result(read, "export function CheckoutForm() { … }"))
    answer = session.appendMessage(assistant("Done: the field is there."))
    session.appendSessionInfo("Discount field")
    await session.flush() // on the disk, synced
  })
  await treelog("list")
  await treelog("show", "@last")

  chapter(
    "A branch",
    "An attempt fails. The session goes back to an earlier\nentry, and keeps the failed branch with a summary.",
  )
  await code(async () => {
    session.appendMessage(user("Could the whole form be rewritten with hooks?"))
    session.appendMessage(assistant("I rewrote it. Eleven tests fail now."))
    session.branchWithSummary(answer, "Hooks broke eleven tests.")
    session.appendMessage(user("Then only fix the validation"))
    session.appendMessage(assistant("Fixed: expired codes are refused."))
    session.appendLabelChange(answer, "field-works")
    await session.flush()
  })
  await treelog("tree")

  chapter(
    "A compaction",
    "The context window fills up. For the model, a summary replaces\nthe earlier messages; the file keeps them.",
  )
  const summary = "## Goal\nA discount code field.\n\n## Done\nField and validation."
  await code(async () => {
    const kept = session.appendMessage(user("Write the change log 变更日志"))
    session.appendCompaction(summary, kept, 48_200)
    session.appendMessage(assistant("Written, in both languages ✅"))
    await session.close()
  })
  print("\nThe context for the model is short now. Each message has the id of its entry:")
  await treelog("context")

  chapter("A fork", "The path to the good answer becomes a new session. The first one\ndoes not change.")
  await code(async () => {
    const source = await sessions.open("Discount field", { access: "read" })
    const fork = await source.createBranchedSession(answer)
    fork.appendSessionInfo("Discount field, for the app")
    fork.appendMessage(user("The same for the mobile app, please"))
    await fork.close()
  })
  await treelog("list")
  await treelog("tree", "@last")

  chapter(
    "A crash",
    "A machine stops in the middle of a line. All other entries can be\nread, and the fault is reported with its position.",
  )
  const path = await sessions.resolve("Discount field")
  await code(async () => {
    appendFileSync(path, '{"type":"message","id":"5e40b9ff","parentId":"90f5')
  })
  await treelog("verify", "Discount field")
  print(
    "\nReading never changes a byte. The next append ends the torn line first,\nso that the new entry has a line of its own.",
  )

  chapter(
    "Your own sessions",
    "treelog reads the sessions of Claude Code, Codex, pi, oh-my-pi, opencode and\nmany other agents where they are, and looks in all of them where you name none.\nCommands that read change nothing there:",
  )
  print()
  for (const line of [
    "list --store pi --all",
    "show --store omp --all @last",
    "tree --store xcsh --all @last",
    "--help",
  ])
    print(bold(`  npm start -- ${line}`))
  print()
}

// `npm start | head` is fine.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error
})
const home = realpathSync(mkdtempSync(join(tmpdir(), "treelog-tour-")))
const remove = () => rmSync(home, { recursive: true, force: true })
process.on("SIGINT", () => {
  remove()
  process.exit(130)
})
try {
  await tour(home)
} finally {
  remove()
}
