import { createRequire } from "node:module"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDriver } from "./sqlite-driver.js"

/** better-sqlite3 13 and later crash older versions of Node than this. Bun runs 13, and no earlier version. */
const NODE_OF_13 = 22

const node = Number.parseInt(process.versions.node, 10)
const isBun = process.versions.bun !== undefined
const INSTALL = `npm install better-sqlite3${node < NODE_OF_13 ? "@12" : ""}`

/**
 * Loads better-sqlite3 and checks that it works.
 * @throws HistoryUnavailableError with a message of one line that says what to do
 */
export async function loadDriver(): Promise<SqliteDriver> {
  assertFits(installedVersion())
  try {
    const { default: driver } = await import("better-sqlite3")
    new driver(":memory:").close()
    return driver
  } catch (cause) {
    throw unavailable(
      "not-loadable",
      `better-sqlite3, which does not load here (${firstLine(cause)})`,
      "npm rebuild better-sqlite3, or with pnpm: pnpm approve-builds",
      cause,
    )
  }
}

function installedVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("better-sqlite3/package.json")
    return version
  } catch (cause) {
    throw unavailable("not-installed", "better-sqlite3, which is not installed", INSTALL, cause)
  }
}

function assertFits(version: string): void {
  const is13 = Number.parseInt(version, 10) >= 13
  if (isBun && !is13)
    throw unavailable("not-loadable", `better-sqlite3 13 on Bun, and has ${version}`, "bun add better-sqlite3@13")
  if (node < NODE_OF_13 && is13)
    throw unavailable("not-loadable", `a better-sqlite3 for Node ${node}, and ${version} is for newer ones`, INSTALL)
}

function unavailable(reason: "not-installed" | "not-loadable", needs: string, command: string, cause?: unknown) {
  const message = `The prompt history needs ${needs}. Run: ${command}`
  return new TreelogError("HistoryUnavailableError", message, { reason }, { cause })
}

/** The first line of an error's message. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split("\n", 1)[0] ?? "").replace(/\.? Tried:$/, "")
}
