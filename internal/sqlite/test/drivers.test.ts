import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { otherProcesses } from "@treelog-internal/test-kit/processes"
import { RUNTIMES } from "@treelog-internal/test-kit/runtimes"
import { expect, onTestFinished, test } from "vitest"

// They find better-sqlite3 where this package does.
const reports = otherProcesses(join(import.meta.dirname, "child", "report-driver.ts"), {
  inside: join(import.meta.dirname, "..", "node_modules", ".cache"),
  external: ["better-sqlite3"],
})

/** A process of its own: a driver is chosen once. */
const faults = otherProcesses(join(import.meta.dirname, "child", "report-fault.ts"), { external: ["better-sqlite3"] })

const run = (binary: string, ...args: string[]) => promisify(execFile)(binary, [reports.path, ...args])

const NAMES: Readonly<Record<string, RegExp>> = {
  "Node 22": /^node:sqlite of Node 22\./,
  "Node 24": /^node:sqlite of Node 24\./,
  Bun: /^bun:sqlite of Bun \d/,
}

const WORKS = {
  values: {
    echoed: true,
    blob: [0, 255],
    none: true,
    stored: [["integer", "integer", "text"]],
    arrays: [
      [1, 2 ** 33, "text"],
      [2, 2 ** 33, "text"],
    ],
  },
  iterations: { first: [1, 2], all: 5, isFree: true },
  transactions: { failed: expect.stringMatching(/^SQLITE_CONSTRAINT/), locked: "SQLITE_BUSY", count: 5 },
  words: 1,
  faults: {
    syntax: "SQLITE_ERROR",
    match: "SQLITE_ERROR",
    notADatabase: "SQLITE_NOTADB",
    aFolder: "SQLITE_CANTOPEN",
    corrupt: "SQLITE_CORRUPT",
    full: "SQLITE_FULL",
    readOnly: "SQLITE_READONLY",
  },
  log: [true, false],
  copies: { count: 5, words: 1, left: 0 },
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "treelog-sqlite-test-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// Newer Node includes SQLite, and needs no driver.
test.skipIf(isBuiltin("node:sqlite")).each([
  [
    "The module '/a/b.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 137. This version of Node.js requires\nNODE_MODULE_VERSION 115.",
    "The module '/a/b.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 137",
  ],
  ["Could not locate the bindings file. Tried:\n → /a/build/better_sqlite3.node", "Could not locate the bindings file"],
])("a driver that does not load says why, in one sentence: %j", async (message, sentence) => {
  const folder = tempFolder()
  const driver = join(folder, "node_modules", "better-sqlite3")
  mkdirSync(driver, { recursive: true })
  writeFileSync(join(driver, "package.json"), JSON.stringify({ version: "12.0.0" }))
  writeFileSync(join(driver, "index.js"), `throw new Error(${JSON.stringify(message)})`)
  const { stdout } = await promisify(execFile)(process.execPath, [faults.path, join(folder, "index.js")])
  const needs = `better-sqlite3, which does not load here (${sentence})`
  expect(JSON.parse(stdout)).toMatchObject({ reason: "not-loadable", needs })
})

test("better-sqlite3 does what is expected of a driver", async () => {
  const { stdout, stderr } = await run(process.execPath, tempFolder())
  expect(stderr).toBe("")
  expect(JSON.parse(stdout)).toEqual({ ...WORKS, name: expect.stringMatching(/^better-sqlite3 1[23]\./) })
})

test.for(RUNTIMES)("$name includes a driver that does the same", async ({ name, binary }, { skip }) => {
  if (binary === undefined) return skip(`no binary of ${name} comes from npm for this machine`)
  const { stdout, stderr } = await run(binary, tempFolder(), "included")
  expect(stderr).toBe("")
  expect(JSON.parse(stdout)).toEqual({ ...WORKS, name: expect.stringMatching(NAMES[name] ?? "") })
})
