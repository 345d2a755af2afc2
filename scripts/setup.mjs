// Installs what the lock file asks for, with nothing but npm on the machine. `npm run setup`, or called by the other scripts.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { status } from "./status.mjs"
import { capture, ROOT } from "./tools.mjs"

const PNPM = "pnpm@10.34.9"
const LOCK = join(ROOT, "pnpm-lock.yaml")
const MODULES = join(ROOT, "node_modules")

/** The packages that the command is made of. */
const COMMAND = ["--filter", "@treelog/cli...", "--filter", "!treelog"]
/** Compiled apart from the installation, which would wait more than a minute for it. The stamp has the ABI of the Node it is for. */
const SQLITE = {
  name: "better-sqlite3",
  binary: join(
    ROOT,
    "packages",
    "history-sqlite",
    "node_modules",
    "better-sqlite3",
    "build",
    "Release",
    "better_sqlite3.node",
  ),
  stamp: join(MODULES, ".treelog-sqlite"),
}

/** What can be installed: the second holds all of the first. A stamp has the digest of the lock file that was installed from. */
const command = { stamp: join(MODULES, ".treelog-command"), args: COMMAND }
const everything = { stamp: join(MODULES, ".treelog-installed"), args: [] }

const lockDigest = () =>
  existsSync(LOCK) ? createHash("sha256").update(readFileSync(LOCK)).digest("hex") : "no lock file"

const isInstalled = ({ stamp }) => existsSync(stamp) && readFileSync(stamp, "utf8") === lockDigest()

/**
 * Runs pnpm from the root, and says so.
 * @param stepsIn finds in a piece of its output how far it is
 * @param isDone asked afterwards, where its exit code is not enough
 * @throws with what it printed
 */
export async function pnpm(what, stepsIn, args, { env = {}, isDone = () => true } = {}) {
  const shown = status(what, stepsIn)
  // Named as `--package`, since a script that npx runs with packages of its own has those in its environment. From another folder, since npx
  // would run the pnpm that is installed here, which deletes itself where it installs all anew.
  const { code, output } = await capture("npx", ["-y", "--package", PNPM, "pnpm", "--dir", ROOT, ...args], {
    cwd: tmpdir(),
    env: { CI: "1", ...env },
    onOutput: shown.read,
  })
  shown.end()
  if (code === 0 && isDone()) return
  process.stderr.write(output)
  throw new Error(`pnpm ${args.join(" ")} failed`)
}

async function install({ stamp, args }, what) {
  const lock = existsSync(LOCK) ? "--frozen-lockfile" : "--no-frozen-lockfile"
  const packagesIn = (text) => text.match(/added \d+/g)?.at(-1)
  await pnpm(`Installing ${what} (once)`, packagesIn, ["install", lock, "--ignore-scripts", ...args])
  writeFileSync(stamp, lockDigest())
}

/** All that the tests, benchmarks and releases need, without the compiled SQLite. */
export async function ensurePackages() {
  if (!isInstalled(everything)) await install(everything, "the dependencies")
}

/** What the command needs, without the compiled SQLite. */
export async function ensureCommandInstalled() {
  if (!isInstalled(everything) && !isInstalled(command)) await install(command, "what the command needs")
}

/** The headers that came with this Node, so that none are downloaded to compile against. */
function nodeHeaders() {
  const folder = dirname(dirname(process.execPath))
  const found = existsSync(join(folder, "include", "node", "node_version.h"))
  return found && process.env.npm_config_nodedir === undefined ? { npm_config_nodedir: folder } : {}
}

/** Once packages are installed. pnpm's exit code is 0 where the compiler fails, since the package is optional. */
export async function ensureSqliteCompiled() {
  const { binary, stamp } = SQLITE
  const abi = process.versions.modules
  if (existsSync(binary) && existsSync(stamp) && readFileSync(stamp, "utf8") === abi) return
  const args = [...COMMAND, "rebuild", SQLITE.name]
  await pnpm("Compiling SQLite (once, about a minute)", () => undefined, args, {
    env: nodeHeaders(),
    isDone: () => existsSync(binary),
  })
  writeFileSync(stamp, abi)
}

/** All that the tests, benchmarks and releases need. */
export async function ensureInstalled() {
  await ensurePackages()
  await ensureSqliteCompiled()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await ensureInstalled()
