import { chmodSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { runnableCommands } from "./command-table.js"
import { shellWords } from "./door.js"
import { sampleEntries } from "./sample.js"
import { type Sandbox, sandbox, type World } from "./sandbox.js"

// The command lines that README.md shows are run, each in a store that has what they name.

const OWN = readText("../README.md")
const ROOT = readText("../../../README.md")

/** The first cell of each row of the table of commands. */
const table = OWN.slice(OWN.indexOf("\n## Commands"), OWN.indexOf("\nA session is named by"))
const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) => spansIn(cell))
const blocks = [...OWN.matchAll(/^\$ treelog (.+)$/gm)].map(([, line = ""]) => `treelog ${line}`)
const ofRoot = [...ROOT.matchAll(/`npm start -- ([^`]+)`/g)].map(([, line = ""]) => `treelog ${line}`)

/** The definition of an agent that has no session. */
const ACME = `{
  kit: 1,
  place: { name: "acme", folders: ["~/.acme"], sessions: "sessions" },
  conversionVersion: 1,
  store: () => ({}),
  converter: () => ({}),
}`

/** One that another program wrote. */
const TRAJECTORY = {
  schema_version: "ATIF-v1.7",
  session_id: "run",
  agent: { name: "acme", version: "1" },
  steps: [{ step_id: 1, source: "user", message: "Why is it flaky?" }],
}

/** Those that do not end with 0 where there is nothing wrong. */
const CODES: Readonly<Record<string, number>> = {
  // Nobody typed that in this folder.
  "treelog search --prompts flaky": 1,
  // Nobody said that, nor changed that.
  "treelog search flaky test --all": 1,
  "treelog files src/retry.ts --changed": 1,
  // There is no session in pi's store.
  "treelog repair --migrate --all --store pi": 6,
  // There are no blobs.
  "treelog blobs verify": 6,
  // No session has such an id, and none was kept.
  "treelog resume SESSION --fork": 3,
  "treelog doctor --unhide 5f3a": 3,
  "treelog restore 01a1ffe2": 1,
}

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")
}

function spansIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)
}

describe("README.md", () => {
  test.each([...new Set([...rows, ...blocks, ...ofRoot])])("`%s` can be run", async (line) => {
    const box = await given()
    const words = shellWords(
      line.replaceAll("~", box.folder).replace(" session.jsonl", ` ${box.project}/session.jsonl`),
    ).words.slice(1)
    const { code, stderr } = await box.run(words, worldOf(box, words))
    // What only works where somebody sits is tried there, and what needs a database in test/postgres.
    if (code === 2 && (stderr.includes("terminal") || stderr.includes("is for databases"))) return
    expect({ line, code, stderr }).toEqual({ line, code: CODES[line] ?? (endsByCtrlC(words) ? 130 : 0), stderr })
  })

  test("names every command in its table", () => {
    const named = rows.map((row) => row.replace(/^treelog /, ""))
    const missing = runnableCommands().filter(
      (name) => !named.some((row) => row === name || row.startsWith(`${name} `)),
    )
    expect(missing).toEqual([])
  })
})

/** A session with an entry `90f5a690`, an older one, one in the trash, a file of its own, and programs that can be called. */
async function given(): Promise<Sandbox> {
  const box = sandbox()
  const entries = JSON.stringify(sampleEntries()).replaceAll("aaaa0005", "90f5a690")
  box.store([userEntry("older", null)], { id: "01f0ffe1-older", timestamp: "2026-03-06T14:00:00.000Z" })
  box.store([userEntry("shop", null)], { id: "01c1ffe2-shop", cwd: join(box.folder, "shop") })
  box.store([userEntry("gone", null)], { id: "01b1ffe2-gone" })
  await box.print("delete", "01b1ffe2-gone")
  box.store(JSON.parse(entries), { id: "01a1ffe2-6a90" })
  box.write("project/session.jsonl", readFileSync(box.store([userEntry("loose", null)], { id: "loose" }), "utf8"))
  await box.print("delete", "loose")
  await box.print("bundle", "--all", "-o", "sessions.tar.gz")
  box.write(".codex/history.jsonl", '{"session_id":"s","ts":1770000000,"text":"Fix the flaky test"}\n')
  mkdirSync(join(box.folder, "shop-2"))
  box.write("project/prices.json", '{"models":[]}')
  box.write("project/run.json", JSON.stringify(TRAJECTORY))
  box.write("project/acme.js", `export const agent = ${ACME}`)
  chmodSync(box.write("bin/llm", "#!/bin/sh\necho A summary.\n"), 0o755)
  return box
}

function endsByCtrlC([command]: readonly (string | undefined)[]): boolean {
  return command === "watch" || command === "view" || command === "mcp"
}

function worldOf(box: Sandbox, [command]: readonly string[]): World {
  const env = { PATH: `${join(box.folder, "bin")}:${process.env.PATH}` }
  return endsByCtrlC([command]) ? { env, interrupted: AbortSignal.abort() } : { env }
}
