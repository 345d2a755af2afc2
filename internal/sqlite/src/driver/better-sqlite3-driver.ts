/// <reference path="./better-sqlite3.d.ts" />
import { createRequire } from "node:module"
import type { SqliteDriver } from "./sqlite-driver.js"

/** Why better-sqlite3 cannot be used, with the command that changes it. */
export interface DriverFault {
  readonly reason: "not-installed" | "not-loadable"
  /** What is needed, as the end of "… needs …". */
  readonly needs: string
  readonly command: string
  readonly cause?: unknown
}

/** better-sqlite3 13 and later crash older versions of Node than this. Bun runs 13, and no earlier version. */
const NODE_OF_13 = 22

const node = Number.parseInt(process.versions.node, 10)
const isBun = process.versions.bun !== undefined
const INSTALL = `npm install better-sqlite3${node < NODE_OF_13 ? "@12" : ""}`

/**
 * Loads better-sqlite3 and checks that it works.
 * @param from the path or URL of a file of the package that depends on it
 */
export function loadBetterSqlite3(from: string): SqliteDriver | DriverFault {
  const require = createRequire(from)
  let version: string
  try {
    version = require("better-sqlite3/package.json").version
  } catch (cause) {
    return { reason: "not-installed", needs: "better-sqlite3, which is not installed", command: INSTALL, cause }
  }
  return misfit(version) ?? load(require, version)
}

function load(require: NodeJS.Require, version: string): SqliteDriver | DriverFault {
  try {
    const Database = require("better-sqlite3") as typeof import("better-sqlite3")
    new Database(":memory:").close()
    return {
      name: `better-sqlite3 ${version}`,
      open: (path) => new Database(path),
    }
  } catch (cause) {
    return {
      reason: "not-loadable",
      needs: `better-sqlite3, which does not load here (${firstSentence(cause)})`,
      command: "npm rebuild better-sqlite3, or with pnpm: pnpm approve-builds",
      cause,
    }
  }
}

/** Versions that would crash this runtime are not loaded. */
function misfit(version: string): DriverFault | undefined {
  const is13 = Number.parseInt(version, 10) >= 13
  const fault = (needs: string, command: string): DriverFault => ({ reason: "not-loadable", needs, command })
  if (isBun && !is13) return fault(`better-sqlite3 13 on Bun, and has ${version}`, "bun add better-sqlite3@13")
  if (node < NODE_OF_13 && is13)
    return fault(`a better-sqlite3 for Node ${node}, and ${version} is for newer ones`, INSTALL)
  return undefined
}

/** Node breaks its sentences into lines: `The module '…'`, `was compiled against a different Node.js version`. */
function firstSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, " ").split(/\.(?: |$)/, 1)[0] ?? ""
}
