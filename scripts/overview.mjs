// npm start on a machine with sessions: what there is, by the built command. Nothing is changed but the caches of lists and search.

import { spawn } from "node:child_process"
import { join } from "node:path"
import { ROOT } from "./tools.mjs"

const MAIN = join(ROOT, "packages", "cli", "dist", "main.js")
/** Milliseconds after which a command is stopped, and the next one follows: a first index of many sessions takes longer. */
const PATIENCE = 8_000
const cwd = process.env.INIT_CWD ?? process.cwd()
const isTTY = process.stdout.isTTY === true
const paint = (code, text) => (isTTY && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text)
const print = (text = "") => process.stdout.write(`${text}\n`)

/** @returns what the command prints; as much as it had printed when it was stopped */
function output(args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let [stdout, stderr, isStopped] = ["", "", false]
    const timer = setTimeout(() => {
      isStopped = true
      child.kill("SIGKILL")
    }, PATIENCE)
    child.stdout.on("data", (data) => {
      stdout += data
    })
    child.stderr.on("data", (data) => {
      stderr += data
    })
    child.on("close", () => {
      clearTimeout(timer)
      resolve({ stdout, stderr, isStopped })
    })
  })
}

/** Prints a command line and the first lines of what it prints. */
async function show(title, args, most) {
  print(`\n${paint("1;36", title)}   ${paint(2, `npm start -- ${args.join(" ")}`)}\n`)
  const env = { ...process.env, ...(isTTY && !process.env.NO_COLOR && { FORCE_COLOR: "1" }) }
  const { stdout, stderr, isStopped } = await output(args, env)
  const lines = (stdout || stderr).trimEnd().split("\n")
  for (const line of lines.slice(0, most)) print(isTTY ? cut(line) : line)
  if (lines.length > most) print(paint(2, `… ${lines.length - most} more lines`))
  if (isStopped)
    print(paint(2, `(not complete after ${PATIENCE / 1000} s; the command alone takes the time that it needs)`))
}

/** Long lines are cut where they have no colours. */
function cut(line) {
  const { columns } = process.stdout
  return line.includes("\u001b") || line.length <= columns ? line : `${line.slice(0, columns - 1)}…`
}

async function newestSessions() {
  const { stdout } = await output(["list", "--all", "--json", "--limit", "200"])
  return stdout.split("\n").slice(0, -1).map(JSON.parse)
}

/**
 * @param ensureSqlite lets the command use SQLite, which searches, sums and the databases of agents need
 * @returns false where no agent has a session here
 */
export async function overview(ensureSqlite) {
  if ((await newestSessions()).length === 0) return false
  await ensureSqlite()
  const sessions = await newestSessions()
  const [newest] = sessions.filter(({ error }) => !error)
  if (!newest) {
    await show("No session can be read", ["list", "--all", "--no-pager"], 10)
    return true
  }
  const agents = [
    ...new Set(
      sessions.flatMap(({ store, copies = [] }) => [store, ...copies.map((copy) => copy.store)]).filter(Boolean),
    ),
  ]
  print(paint(1, "treelog: the coding agents on this machine"))
  if (agents.length > 0) print(`Found sessions of ${agents.join(", ")}.`)
  await show("The newest sessions", ["list", "--all", "--limit", "8", "--no-pager"], 10)
  await show("The end of the last one", ["show", newest.id, "--tail", "2", "--no-pager"], 16)
  const word = (newest.name ?? newest.firstMessage ?? "").match(/\p{L}{4,}/u)?.[0]
  if (word) await show("A search", ["search", word, "--all", "--limit", "3", "--no-pager"], 12)
  await show("What the last week cost", ["stats", "--all", "--by", "agent", "--since", "7d", "--no-pager"], 14)
  print(`\n${paint("1;36", "More")}\n`)
  print("  npm start -- view     all of it as a page in your browser")
  print("  npm start -- --help   the commands")
  print("  npm start -- resume   find a session as you type, and go on with it")
  print("  npm start -- tour     how the library stores sessions, with samples\n")
  return true
}
