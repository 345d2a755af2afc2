import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { TEST_START, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Ran, type Sandbox, sandbox } from "../sandbox.js"

const DAY = 86_400_000
/** Has the form of a key, and opens nothing. */
const SECRET = `sk-ant-api03-${"A1b2".repeat(23)}A-AAAAAAAA`

/** Prompts of three folders and two sessions, the newest last. */
async function withPrompts(): Promise<Sandbox> {
  const box = sandbox()
  mkdirSync(`${box.project}/.git`)
  const line = (text: string, daysAgo: number, project: string, sessionId: string): string =>
    `${JSON.stringify({ display: text, timestamp: TEST_START - daysAgo * DAY, project, sessionId })}\n`
  const lines = [
    line("Mend the flaky test", 9, `${box.project}/deep`, "s1"),
    line("变更日志 of C++ and foo.bar", 5, "/elsewhere", "s2"),
    line("Why is the test\nflaky?", 3, box.project, "s2"),
  ]
  box.write("prompts.jsonl", lines.join(""))
  await box.print("history", "import", "--from", `${box.folder}/prompts.jsonl`)
  return box
}

const texts = ({ json }: Ran): unknown[] => json.map(({ text }) => text)

test("search prints what holds every word, newest first, one a line", async () => {
  const box = await withPrompts()
  expect((await box.print("history", "search", "FLAKY tes")).replaceAll(box.folder, "")).toMatchInlineSnapshot(`
    "ID         AGE  FOLDER          PROMPT
     3          3d  ~/project       Why is the test flaky?
     1  2026-02-26  ~/project/deep  Mend the flaky test"
  `)
  for (const query of ["更", "c++", "oo.ba", '"', "NEAR("])
    expect(texts(await box.run(["history", "search", query, "--json"])).length, query).toBe(/["N]/.test(query) ? 0 : 1)
})

test("recent lists the newest, at most as many as --limit", async () => {
  const box = await withPrompts()
  expect((await box.run(["history", "recent", "--json", "--limit", "1"])).json).toEqual([
    {
      v: 1,
      id: 3,
      text: "Why is the test\nflaky?",
      createdAt: TEST_START - 3 * DAY,
      cwd: box.project,
      sessionId: "s2",
    },
  ])
  expect((await box.run(["history", "recent", "--json"])).json).toHaveLength(3)
})

test.each([
  [
    ["--scope", "all"],
    ["Why", "变更日志", "Mend"],
  ],
  [["--scope", "cwd"], ["Why"]],
  [
    ["--scope", "repository"],
    ["Why", "Mend"],
  ],
  [["--cwd", "/elsewhere"], ["变更日志"]],
  [["--session", "s1"], ["Mend"]],
  [
    ["--scope", "session", "--session", "s2"],
    ["Why", "变更日志"],
  ],
])("%j names whose prompts are meant", async (options, found) => {
  const box = await withPrompts()
  const { json } = await box.run(["history", "recent", "--json", ...options])
  expect(json.map(({ text }) => String(text).split(/\s/)[0])).toEqual(found)
})

test("@last is the newest session of the folder", async () => {
  const box = await withPrompts()
  expect((await box.run(["history", "recent", "--session", "@last"])).code).toBe(3)
  box.store([userEntry("one", null)], { id: "s1" })
  expect(texts(await box.run(["history", "recent", "--scope", "session", "--json"]))).toEqual(["Mend the flaky test"])
})

test.each([
  [[], "No prompt found.\n"],
  [["--scope", "cwd"], "No prompt found in the scope cwd; there is --scope all.\n"],
])("says on stderr that nothing was found, and prints nothing: %j", async (options, stderr) => {
  const box = await withPrompts()
  const ran = await box.run(["history", "search", "nothing", ...options])
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr })
})

test.each([[["search", "x"]], [["recent"]], [["recent", "--json"]], [["delete", "--query", "x"]], [["stats"]]])(
  "%j says where there is no database, and makes none",
  async (argv) => {
    const box = sandbox()
    const { code, stdout, stderr } = await box.run(["history", ...argv])
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" })
    expect(stderr).toContain(`0 prompts examined: there is no ${box.agentDir}/history.db; \`treelog history import\``)
    expect(existsSync(box.agentDir)).toBe(false)
  },
)

test("the histories of all programs are searched, and a number that two have deletes in neither", async () => {
  const box = await withPrompts()
  box.write(".omp/agent/sessions/--x--/2026-03-01T00-00-00-000Z_x.jsonl", "")
  const line = JSON.stringify({ display: "Not flaky", timestamp: TEST_START, project: "/x", sessionId: "s3" })
  const file = box.write("omp.jsonl", `${line}\n`)
  await box.print("history", "import", "--from", file, "--store", "omp")
  expect((await box.run(["history", "search", "flaky", "--json"])).json).toMatchObject([
    { text: "Not flaky", store: "omp" },
    { text: "Why is the test\nflaky?", store: "treelog" },
    { text: "Mend the flaky test", store: "treelog" },
  ])
  expect(await box.run(["history", "delete", "1", "--yes"])).toMatchObject({ code: 2 })
  expect(await box.print("history", "delete", "--query", "flaky", "--yes")).toBe("3 prompts removed")
})

test("what only looks finds everything in a database of another program, and leaves it as it is", async () => {
  const box = sandbox()
  mkdirSync(box.agentDir)
  const { resolve } = createRequire(import.meta.url)
  const Database = createRequire(resolve("@treelog/history-sqlite/package.json"))("better-sqlite3")
  const db = new Database(`${box.agentDir}/history.db`)
  db.exec("CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL)")
  db.exec("INSERT INTO history(prompt, created_at) VALUES ('Mend the flaky test', 1), ('运行测试', 2)")
  db.close()
  const before = box.snapshot()
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(["运行测试", "Mend the flaky test"])
  expect(texts(await box.run(["history", "search", "laky", "--json"]))).toEqual(["Mend the flaky test"])
  expect((await box.run(["history", "stats", "--json"])).json).toMatchObject([{ stored: 2, folders: 0 }])
  expect((await box.run(["history", "delete", "--query", "测", "--json"])).json).toMatchObject([
    { prompts: [{ id: 2 }] },
  ])
  expect(box.snapshot()).toEqual(before)
  await box.print("history", "add", "New")
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(["New", "运行测试", "Mend the flaky test"])
})

test("add keeps a prompt with its folder and session, from the command line and from stdin", async () => {
  const box = sandbox()
  expect(await box.run(["history", "add", "One", "--session", "s9"])).toMatchObject({ code: 0, stdout: "", stderr: "" })
  expect((await box.run(["history", "add", "-", "--json"], { stdin: "Two\nlines\n" })).json).toEqual([
    { v: 1, added: true, reason: null },
  ])
  const { json } = await box.run(["history", "recent", "--json"])
  expect(json).toMatchObject([
    { text: "Two\nlines", cwd: box.project },
    { text: "One", cwd: box.project, sessionId: "s9" },
  ])
})

test("what looks like a secret is kept only with --keep-secrets", async () => {
  const box = sandbox()
  const { code, stderr } = await box.run(["history", "add", `Use ${SECRET}`])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "Not kept: it seems to contain a secret. --keep-secrets adds it anyway.\n",
  })
  expect((await box.run(["history", "add", SECRET, "--json"])).json).toEqual([{ v: 1, added: false, reason: "secret" }])
  const file = box.write("codex.jsonl", `${JSON.stringify({ session_id: "s", ts: 1, text: SECRET })}\n`)
  expect(await box.print("history", "import", "--from", file)).toBe(
    "1 prompt: 0 added, 1 ignored (empty, like a secret, or by --ignore)",
  )
  expect((await box.run(["history", "recent", "--json"])).json).toEqual([])
  await box.print("history", "import", "--from", file, "--keep-secrets")
  await box.print("history", "add", `Use ${SECRET}`, "--keep-secrets")
  expect((await box.run(["history", "recent", "--json"])).json).toHaveLength(2)
})

test.each([
  [["--ignore-space"], " A", "space", "Not kept: it begins with a space, and --ignore-space is given.\n"],
  [["--ignore", "^/", "--ignore", "[Pp]ass"], "My Pass", "pattern", "Not kept: a pattern of --ignore matches.\n"],
])("add passes over what %j says", async (options, text, reason, stderr) => {
  const box = sandbox()
  expect(await box.run(["history", "add", ...options, text])).toMatchObject({ code: 0, stdout: "", stderr })
  expect((await box.run(["history", "add", ...options, text, "--json"])).json).toEqual([{ v: 1, added: false, reason }])
  await box.print("history", "add", text)
  await box.print("history", "add", "Another", ...options)
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(["Another", text.trim()])
})

test("import passes over what --ignore-space and --ignore say", async () => {
  const box = sandbox()
  const lines = [" led by a space", "/clear", "keep"].map((text, ts) => JSON.stringify({ session_id: "s", ts, text }))
  const file = box.write("codex.jsonl", lines.join("\n"))
  expect(await box.print("history", "import", "--from", file, "--ignore-space", "--ignore", "^/")).toBe(
    "3 prompts: 1 added, 2 ignored (empty, like a secret, or by --ignore)",
  )
  expect(await box.print("history", "import", "--from", file)).toBe("3 prompts: 2 added, 1 known")
})

test("import takes the prompts of all sessions once, and names those that it cannot read", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "Here")], { id: "a" })
  box.store([userEntry("one", null, "There"), userEntry("two", "one", " ")], { id: "b", cwd: "/elsewhere" })
  expect(await box.print("history", "import")).toBe(
    "3 prompts: 2 added, 1 ignored (empty, like a secret, or by --ignore)",
  )
  expect(await box.print("history", "import")).toBe(
    "3 prompts: 0 added, 2 known, 1 ignored (empty, like a secret, or by --ignore)",
  )
  box.write("agent/sessions/x/bad.jsonl", "nonsense\n")
  const { code, stdout } = await box.run(["history", "import"])
  expect(code).toBe(1)
  expect(stdout).toMatch(/bad\.jsonl InvalidSessionError .*\n3 prompts: 0 added/)
  const failures = [{ path: expect.stringMatching(/bad/), error: { code: "InvalidSessionError" } }]
  expect((await box.run(["history", "import", "--json"])).json).toMatchObject([{ v: 1, read: 3, known: 2, failures }])
})

test("import reads the files of Claude Code and Codex where they are", async () => {
  const box = sandbox()
  const claude = JSON.stringify({ display: "Asked Claude", timestamp: TEST_START, project: "/p" })
  box.write(".claude/history.jsonl", `${claude}\n{"other":1}\n\nnonsense\n`)
  box.write(
    "moved/history.jsonl",
    `${JSON.stringify({ session_id: "s", ts: TEST_START / 1000, text: "Asked Codex" })}\n`,
  )
  const { stdout, stderr } = await box.run(["history", "import", "--from", "claude-code"])
  expect({ stdout, stderr }).toEqual({ stdout: "1 prompt: 1 added\n", stderr: "2 lines contained no prompt.\n" })
  const env = { CODEX_HOME: `${box.folder}/moved` }
  expect((await box.run(["history", "import", "--from", "codex", "--json"], { env })).json).toMatchObject([
    { added: 1 },
  ])
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(["Asked Codex", "Asked Claude"])
  const missing = await box.run(["history", "import", "--from", "codex"])
  expect(missing).toMatchObject({ code: 1, stderr: `treelog: There is no file ${box.folder}/.codex/history.jsonl.\n` })
  expect((await box.run(["history", "import", "--from", box.project])).stderr).toContain("is not a file")
})

test.each([
  [["1"], ["Why is the test\nflaky?", "变更日志 of C++ and foo.bar"]],
  [["--query", "flaky"], ["变更日志 of C++ and foo.bar"]],
  [["--session", "s2"], ["Mend the flaky test"]],
  [
    ["--cwd", "/elsewhere"],
    ["Why is the test\nflaky?", "Mend the flaky test"],
  ],
  [
    ["--query", "flaky", "--session", "s1"],
    ["Why is the test\nflaky?", "变更日志 of C++ and foo.bar"],
  ],
])("delete %j shows what would go, removes it with --yes, and no import brings it back", async (options, left) => {
  const box = await withPrompts()
  const all = texts(await box.run(["history", "recent", "--json"]))
  const dry = await box.run(["history", "delete", ...options, "--json"])
  expect(dry.json).toMatchObject([{ v: 1, dryRun: true }])
  const gone = all.filter((text) => !left.includes(String(text)))
  expect(dry.json).toMatchObject([{ prompts: gone.map((text) => ({ text })) }])
  expect((await box.run(["history", "delete", ...options])).stderr).toContain("This was a dry run; --yes removes")
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(all)
  expect((await box.run(["history", "delete", ...options, "--yes", "--json"])).json).toEqual([
    { v: 1, dryRun: false, removed: all.length - left.length },
  ])
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(left)
  await box.print("history", "import", "--from", `${box.folder}/prompts.jsonl`)
  expect(texts(await box.run(["history", "recent", "--json"]))).toEqual(left)
})

test("delete shows and removes a prompt by any of its ids", async () => {
  const box = await withPrompts()
  await box.print("history", "add", "Mend the flaky test")
  expect(await box.run(["history", "delete", "1"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Mend the flaky test"),
    stderr: "This was a dry run; --yes removes it for good, wherever it was given.\n",
  })
  expect(await box.print("history", "delete", "1", "--yes")).toBe("2 prompts removed")
})

test("delete of an id that is not there ends with 3", async () => {
  const box = await withPrompts()
  expect(await box.run(["history", "delete", "99", "--yes"])).toMatchObject({ code: 3, stdout: "0 prompts removed\n" })
  expect(await box.run(["history", "delete", "99"])).toMatchObject({ code: 3, stdout: "" })
})

test("stats tell what there is", async () => {
  const box = await withPrompts()
  expect((await box.print("history", "stats")).replaceAll(box.folder, "")).toMatch(
    /^prompts {3}3\nfolders {3}3\nsessions {2}2\noldest.*\nnewest.*\nsize .* KB\nfile {6}\/agent\/history\.db$/,
  )
  expect((await box.run(["history", "stats", "--json"])).json).toEqual([
    {
      v: 1,
      path: `${box.agentDir}/history.db`,
      stored: 3,
      folders: 3,
      sessions: 2,
      oldest: TEST_START - 9 * DAY,
      newest: TEST_START - 3 * DAY,
      bytes: expect.any(Number),
    },
  ])
})

test("--db names the database", async () => {
  const box = sandbox()
  await box.print("history", "add", "Elsewhere", "--db", "~/own/prompts.db")
  expect(existsSync(`${box.agentDir}/history.db`)).toBe(false)
  expect(texts(await box.run(["history", "recent", "--db", "../own/prompts.db", "--json"]))).toEqual(["Elsewhere"])
})

test.each([
  [["history"], "needs a terminal"],
  [["history"], "`treelog history search QUERY` or `treelog history recent`"],
  [["history", "flaky"], "unknown command 'flaky'; `treelog history search` searches for words"],
  [["history", "add"], "Pass a text to add"],
  [["history", "add", " "], "the text is empty"],
  [["history", "add", "x", "--ignore", "("], "--ignore takes a regular expression: Invalid regular expression: /(/u"],
  [["history", "search"], "missing required argument 'query'"],
  [["history", "search", "x", "--limit", "0"], "It must be a whole number from 1."],
  [["history", "search", "x", "--scope", "here"], "Allowed choices are"],
  [["history", "search", "x", "--scope", "cwd", "--session", "s"], "--session cannot be combined with --scope cwd"],
  [["history", "stats", "--scope", "cwd"], "unknown option '--scope'"],
  [["history", "add", "x", "--query", "y"], "unknown option '--query'"],
  [["history", "delete"], "Choose what to delete"],
  [["history", "delete", "one"], "It must be a number."],
  [["history", "delete", "1", "--query", "x"], "Give an id, or --query"],
  [["history", "delete", "--session", "s", "--cwd", "/p"], "Give --session or --cwd, not both."],
  [["history", "delete", "--query", " ", "--yes"], "at least one term"],
  [["history", "delete", "--query", " "], "at least one term"],
])("2: %j cannot be understood: %s", async (argv, message) => {
  const { code, stdout, stderr } = await sandbox().run(argv)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(message)
})

test("import reports on a terminal how far it is when it takes more than a second", async () => {
  const box = sandbox()
  const prompts = Array.from({ length: 5 }, (_, ts) => JSON.stringify({ session_id: "s", ts, text: `Prompt ${ts}` }))
  const file = box.write("codex.jsonl", prompts.join("\n"))
  let time = TEST_START
  const now = (): number => (time += 700)
  const { stderr } = await box.run(["history", "import", "--from", file], { isTTY: true, now })
  expect((await box.run(["history", "import", "--from", file], { now })).stderr).toBe("")
  expect(stderr).toContain("Read 3 prompts")
})

test("130: an import that is interrupted ends, and what it took stays sound", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "Here")])
  const interrupted = AbortSignal.abort()
  expect((await box.run(["history", "import"], { interrupted })).code).toBe(130)
  expect(await box.print("history", "import")).toBe("1 prompt: 1 added")
})
