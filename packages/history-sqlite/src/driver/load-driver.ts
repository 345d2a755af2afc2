import { createRequire } from "node:module"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDriver } from "./sqlite-driver.js"

/** From 13 on, better-sqlite3 ends the process on a Node older than this. */
const NODE_OF_13 = 22

/**
 * Loads better-sqlite3 and tries it once.
 * @throws HistoryUnavailableError whose message says in one line what to do
 */
export async function loadDriver(): Promise<SqliteDriver> {
  assertFits(installedVersion())
  try {
    const { default: driver } = await import("better-sqlite3")
    new driver(":memory:").close()
    return driver
  } catch (cause) {
    const message = `The prompt history needs better-sqlite3, which does not load here (${firstLine(cause)}). Run: npm rebuild better-sqlite3`
    throw new TreelogError("HistoryUnavailableError", message, { reason: "not-loadable" }, { cause })
  }
}

function installedVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("better-sqlite3/package.json")
    return version
  } catch (cause) {
    const message = "The prompt history needs better-sqlite3, which is not installed. Run: npm install better-sqlite3"
    throw new TreelogError("HistoryUnavailableError", message, { reason: "not-installed" }, { cause })
  }
}

function assertFits(version: string): void {
  const node = Number.parseInt(process.versions.node, 10)
  if (node >= NODE_OF_13 || Number.parseInt(version, 10) < 13) return
  const message = `The prompt history needs a better-sqlite3 for Node ${node}, and ${version} is for newer ones. Run: npm install better-sqlite3@12`
  throw new TreelogError("HistoryUnavailableError", message, { reason: "not-loadable" })
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split("\n", 1)[0] ?? ""
}
