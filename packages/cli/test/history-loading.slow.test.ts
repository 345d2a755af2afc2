import { spawnSync } from "node:child_process"
import { isBuiltin } from "node:module"
import { dirname } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { builtFiles, loadedLater, loadedWith, MAIN } from "./built-imports.js"
import { type Sandbox, sandbox } from "./sandbox.js"

// What the history needs is loaded by the history alone. It looks at what `npm run build` made.

test("of what commands load, only the history's have SQLite", () => {
  const files = builtFiles()
  const commands = files.filter((file) => dirname(file) === "commands").map((file) => `./${file}`)
  const entries = new Set([...files.flatMap(loadedLater), ...commands])
  const loading = (name: string): string[] =>
    [...entries]
      .filter((entry) => entry.startsWith("./") && loadedWith(entry).has(name))
      .map((entry) => entry.replace(/^.*\/|(?:-[A-Z0-9]{8})?\.m?js$/g, ""))
  expect(entries.size).toBeGreaterThan(20)
  expect(loading("@treelog/history-sqlite").sort()).toEqual(["found-prompts", "typed"])
  expect(loading("@treelog/mcp")).toEqual(["mcp"])
})

// Newer Node includes SQLite, and needs no driver.
test.skipIf(isBuiltin("node:sqlite"))(
  "where better-sqlite3 does not load, the history says in one line what to do, and other commands work",
  () => {
    const box = sandbox()
    box.store([userEntry("one", null, "Hello")])
    box.write("agent/history.db", "")
    const typed = runWithout(box, "better-sqlite3", ["search", "--prompts", "Hi"])
    expect(typed).toMatchObject({ status: 1, stdout: "" })
    expect(typed.stderr).toMatch(/^The prompts of treelog cannot be read: .* needs better-sqlite3, .* Run: npm \S.*\n/)
    for (const argv of [
      ["search", "x"],
      ["files", "x"],
      ["stats", "--by", "day"],
      ["index"],
      ["index", "--update"],
      ["index", "--rebuild"],
    ]) {
      const { status, stdout, stderr } = runWithout(box, "better-sqlite3", argv)
      expect({ status, stdout }, argv.join(" ")).toEqual({ status: 1, stdout: "" })
      expect(stderr).toMatch(/^treelog: The index of sessions needs better-sqlite3, .* Run: npm \S.*\n$/)
    }
    const resumed = runWithout(box, "better-sqlite3", ["resume", "--query", "Hello"])
    expect(resumed, "resume").toMatchObject({ status: 0 })
    expect(resumed.stderr).toMatch(
      /^Names, first messages and ids are searched, not what was said: .* Run: npm \S.*\n$/,
    )
    for (const argv of [["list"], ["show"], ["tree"], ["stats", "--disk"], ["verify", "--json"], ["search", "--help"]])
      expect(runWithout(box, "better-sqlite3", argv), argv.join(" ")).toMatchObject({ status: 0, stderr: "" })
  },
)

/** Runs the built command where a package cannot be found. */
function runWithout(box: Sandbox, name: string, argv: readonly string[]): ReturnType<typeof spawnSync> {
  const blind = box.write(
    "blind.cjs",
    `const module_ = require("node:module")
    const find = module_._resolveFilename
    module_._resolveFilename = function (request, ...rest) {
      if (request.startsWith(${JSON.stringify(name)})) throw new Error("Cannot find module")
      return find.call(this, request, ...rest)
    }`,
  )
  const env = { PATH: process.env.PATH, HOME: box.folder, TREELOG_AGENT_DIR: box.agentDir }
  return spawnSync(process.execPath, ["--require", blind, MAIN, ...argv], { cwd: box.project, env, encoding: "utf8" })
}
