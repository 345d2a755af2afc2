import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
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
