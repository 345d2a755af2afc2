import { join } from "node:path"
import { assistantMessage, messageEntry, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const ID = "of-elsewhere"

/** A store with a session of another folder; the command is run in one that is no project and has none. */
function withSessionElsewhere(box: Sandbox = sandbox()): Sandbox {
  const read = { type: "toolCall", id: "c1", name: "read", arguments: { path: "/elsewhere/lamp.ts" } }
  const entries = [
    userEntry("said", null, "the lamp is lit"),
    messageEntry("answer", "said", assistantMessage("", { content: [read] })),
  ]
  box.store(entries, { id: ID, cwd: join(box.folder, "elsewhere") })
  return box
}

/** A session elsewhere, and one of pi: several stores are looked in. */
function withTwoStores(): Sandbox {
  const box = withSessionElsewhere()
  const header = { type: "session", version: 3, id: "of-pi", timestamp: "2026-03-01T00:00:00.000Z", cwd: "/other" }
  const older = messageEntry("pi-1", null, userMessage("Hello", { timestamp: Date.parse(header.timestamp) }))
  const lines = [header, older].map((line) => `${JSON.stringify(line)}\n`)
  box.write(".pi/agent/sessions/--other--/2026-03-01T00-00-00-000Z_of-pi.jsonl", lines.join(""))
  return box
}

/** A session elsewhere, and a database of opencode that cannot be read: what is in it may be of any folder. */
function withBrokenDatabase(): Sandbox {
  const box = withSessionElsewhere()
  box.write(".local/share/opencode/opencode.db", "no database")
  return box
}

const saidOf = ({ project }: Sandbox): string =>
  `No session is of ${project}, which is no project: this is about every folder.\n`

/** What reads, and what of the session it prints. */
const READING: readonly (readonly [argv: readonly string[], printed: string])[] = [
  [["list"], "the lamp is lit"],
  [["search", "lamp"], "the lamp is lit"],
  [["files", "lamp.ts"], "/elsewhere/lamp.ts"],
  [["resume", "--last", "--print", "id"], ID],
  [["resume", "@last", "--print", "id"], ID],
  [["show"], "the lamp is lit"],
  [["show", "@last", "--json"], ID],
  [["tree"], "the lamp is lit"],
  [["context"], "the lamp is lit"],
  [["context", "--llm", "openai"], "the lamp is lit"],
  [["stats", "@last"], "user 1"],
  [["stats", "@last", "--by", "day", "--json"], '"by":"day"'],
  [["stats", "--by", "tool", "--json"], ID],
  [["export", "--format", "text"], "the lamp is lit"],
  [["verify", "--json"], ID],
  [["scan", "--json"], ""],
]

describe.each([
  ["one store", withSessionElsewhere],
  ["several stores", withTwoStores],
  ["a database that cannot be read beside it", withBrokenDatabase],
])("in a folder that is no project and has no sessions, with %s", (_, boxOf) => {
  test.each(READING)("%j is about every folder, and says so in a line", async (argv, printed) => {
    const box = boxOf()
    const { code, stdout, stderr } = await box.run(argv)
    expect([code, stdout]).toEqual([0, expect.stringContaining(printed)])
    const warned = argv.includes("--json") ? JSON.parse(stderr.split("\n")[0] ?? "").warning.message : stderr
    expect(`${warned.trimEnd()}\n`.startsWith(saidOf(box))).toBe(true)
    expect(stderr.match(/every folder/g)).toHaveLength(1)
  })

  test("sums are of every folder without a word", async () => {
    const { code, stderr } = await boxOf().run(["stats", "--all"])
    // 1 where the sum lacks what cannot be read.
    expect([code, stderr]).toEqual([expect.toBeOneOf([0, 1]), expect.not.stringContaining("every folder")])
  })

  test.each([
    ["name", "@last", "Lamp"],
    ["label", "@last", "said", "here"],
    ["append", "@last", '{"role":"user","content":"Hi"}'],
    ["fork", "@last", "--leaf", "said"],
    ["branch", "@last", "said"],
    ["compact", "@last", "--summarizer", "echo Short"],
    ["tree", "@last", "--select", "said"],
    ["blobs", "slim", "@last"],
    ["delete", "@last"],
  ])("%s %s writes to none of another folder", async (...argv) => {
    const box = boxOf()
    const before = box.snapshot()
    const { code, stderr } = await box.run(argv)
    expect([code, stderr]).toEqual([3, expect.stringContaining("There is no session")])
    expect(box.snapshot()).toEqual(before)
  })
})

test("a repository, a folder that is named and one with sessions stay what commands are about", async () => {
  const box = withSessionElsewhere()
  const named = ["--cwd", box.project]
  expect((await box.run(["show", ...named])).code).toBe(3)
  expect((await box.run(["list", ...named])).code).toBe(6)
  box.store([userEntry("here", null, "Hello")], { id: "of-here" })
  const { json, stderr } = await box.run(["list", "--json"])
  expect([json.map(({ id }) => id), stderr]).toEqual([["of-here"], ""])
  expect((await box.run(["show", "@-2"])).stderr).toContain("There is only 1 session")

  const repository = withSessionElsewhere()
  repository.write("project/.git/config", "")
  expect((await repository.run(["list"])).code).toBe(6)
  expect((await repository.run(["show"])).code).toBe(3)
  expect((await repository.run(["resume", "--last"])).code).toBe(3)
})

test.each([["search", "lamp"], ["show"]])(
  "a file without a session, which may be of any folder, makes %s no less about every folder",
  async (...argv) => {
    const box = withSessionElsewhere()
    box.write(".copilot/session-state/11111111-2222-4333-8444-555555555555.jsonl", "")
    const { code, stdout, stderr } = await box.run(argv)
    expect([code, stdout]).toEqual([0, expect.stringContaining("the lamp is lit")])
    expect(stderr).toContain(saidOf(box))
  },
)

describe("in a repository without sessions, beside five stores that have some", () => {
  function withFiveStores(): Sandbox {
    const box = withTwoStores()
    box.write("project/.git/config", "")
    for (const folder of [".xcsh", ".omp", ".omo"]) {
      const header = { type: "session", version: 3, id: `of${folder}`, timestamp: "2026-03-01T00:00:00.000Z", cwd: "/" }
      box.write(`${folder}/agent/sessions/--/2026-03-01T00-00-00-000Z_of${folder}.jsonl`, `${JSON.stringify(header)}\n`)
    }
    return box
  }
  const stores = "5 stores (treelog, pi, xcsh and 2 more; `treelog doctor` shows where)"

  test.each([
    ["list", 6],
    ["search lamp", 6],
    ["files lamp.ts", 6],
    ["resume --last", 3],
  ])("%s ends with one sentence that names a few of them", async (line, expected) => {
    const box = withFiveStores()
    const { code, stdout, stderr } = await box.run(line.split(" "))
    expect([code, stdout]).toEqual([expected, ""])
    expect(stderr).toContain(` ${stores}`)
    expect(stderr).toContain(` of ${box.project}`)
    expect(stderr.trimEnd().split("\n").length).toBeLessThan(3)
    expect(stderr.length).toBeLessThan(220 + box.project.length)
  })

  test("JSON has the address of each", async () => {
    const box = withFiveStores()
    const { stderr } = await box.run(["list", "--json"])
    const folders = ["agent", ".pi/agent", ".xcsh/agent", ".omp/agent", ".omo/agent"]
    const { data } = JSON.parse(stderr).warning
    expect(data.stores).toEqual(folders.map((folder) => join(box.folder, folder)))
  })

  test("a session that is nowhere was looked for in a few that are named", async () => {
    const { code, stderr } = await withFiveStores().run(["show", "nobody"])
    expect([code, stderr]).toEqual([3, expect.stringContaining("in the stores of treelog, pi, xcsh and 2 more;")])
  })
})
