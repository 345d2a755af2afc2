// Installs what the lock file asks for, with nothing but npm on the machine. `npm run setup`, or called by the other scripts.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { capture, ROOT } from "./tools.mjs"

const PNPM = "pnpm@10.34.9"
const LOCK = join(ROOT, "pnpm-lock.yaml")
/** Holds the digest of the lock file that node_modules was last installed from. */
const STAMP = join(ROOT, "node_modules", ".treelog-installed")

const lockDigest = () =>
  existsSync(LOCK) ? createHash("sha256").update(readFileSync(LOCK)).digest("hex") : "no lock file"

const isInstalled = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockDigest()

export async function ensureInstalled() {
  if (isInstalled()) return
  process.stderr.write("Installing the dependencies (once)\n")
  const frozen = existsSync(LOCK) ? "--frozen-lockfile" : "--no-frozen-lockfile"
  const { code, output } = await capture("npx", ["-y", PNPM, "install", frozen], { CI: "1" })
  if (code !== 0) {
    process.stderr.write(output)
    throw new Error("The dependencies could not be installed")
  }
  writeFileSync(STAMP, lockDigest())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await ensureInstalled()
