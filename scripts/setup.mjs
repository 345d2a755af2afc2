// Installs what the lock file asks for, with nothing but npm on the machine. `npm run setup`, or called by the other scripts.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { capture, ROOT } from "./tools.mjs"

const PNPM = "pnpm@10.34.9"
const LOCK = join(ROOT, "pnpm-lock.yaml")
const MODULES = join(ROOT, "node_modules")

/** The packages that the command is made of. */
const COMMAND = ["--filter", "@treelog/cli...", "--filter", "!treelog"]
/** Compiled when it is needed for the first time, since that takes more than a minute. */
const SQLITE = "better-sqlite3"

/** What is installed: each holds all that stands before it. Its file has the digest of the lock file that it was installed from. */
const command = { stamp: join(MODULES, ".treelog-command"), args: [...COMMAND, "--ignore-scripts"] }
const everything = { stamp: join(MODULES, ".treelog-installed"), args: [] }

const lockDigest = () =>
  existsSync(LOCK) ? createHash("sha256").update(readFileSync(LOCK)).digest("hex") : "no lock file"

const isInstalled = ({ stamp }) => existsSync(stamp) && readFileSync(stamp, "utf8") === lockDigest()

/** Runs pnpm from the root. @throws with what it printed */
export async function pnpm(...args) {
  const { code, output } = await capture("npx", ["-y", PNPM, ...args], { CI: "1" })
  if (code === 0) return
  process.stderr.write(output)
  throw new Error(`pnpm ${args.join(" ")} failed`)
}

async function install({ stamp, args }, what) {
  process.stderr.write(`Installing ${what} (once)\n`)
  await pnpm("install", existsSync(LOCK) ? "--frozen-lockfile" : "--no-frozen-lockfile", ...args)
  writeFileSync(stamp, lockDigest())
}

/** All that the tests, benchmarks and releases need. */
export async function ensureInstalled() {
  if (!isInstalled(everything)) await install(everything, "the dependencies")
}

/** What the command needs, without SQLite. */
export async function ensureCommandInstalled() {
  if (!isInstalled(everything) && !isInstalled(command)) await install(command, "what the command needs")
}

/** The compiled SQLite of the command. */
export async function ensureSqliteInstalled() {
  const stamp = join(MODULES, ".treelog-sqlite")
  if (isInstalled(everything) || isInstalled({ stamp })) return
  process.stderr.write("Compiling SQLite (once)\n")
  await pnpm(...COMMAND, "rebuild", SQLITE)
  writeFileSync(stamp, lockDigest())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await ensureInstalled()
