import { symlinkSync } from "node:fs"
import { dirname } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"
import { widthOf } from "../door.js"
import { NOW, storeAged } from "../housekeeping-box.js"
import { sandbox } from "../sandbox.js"

test.each([
  [["lst"], "treelog: unknown command 'lst' (Did you mean list?)"],
  [["help", "lst"], "treelog: unknown command 'lst' (Did you mean list?)"],
  [["show", "--ful"], "treelog: unknown option '--ful' (Did you mean --full?)"],
  [["label", "@last"], "treelog: missing required argument 'entry'"],
  [
    ["tree", "--filter", "users"],
    "treelog: option '--filter <filter>' argument 'users' is invalid. Allowed choices are",
  ],
  [["list", "--limit", "none"], "treelog: option '-n, --limit <count>' argument 'none' is invalid. It must be"],
  [["list", "--store", "vim"], "treelog: vim is not a store: name a program"],
  [["list", "--store", "claude"], "treelog: claude is not a store (did you mean claude-code?): name a program"],
  [["list", "--store", "gemini-cli"], "treelog: gemini-cli is not a store (did you mean gemini?): name a program"],
  [["append", "a"], "treelog: Pass a message"],
  [["append", "a", "{}", "--role", "user"], "treelog: Give a message as JSON or by --role and --text, not both."],
  [["append", "a", "nonsense"], "treelog: The message is not JSON"],
  [["append", "a", "[1]"], "treelog: A message is a JSON object with a role"],
  [["append", "a", '{"content":"x"}'], "treelog: A message is a JSON object with a role"],
  [["append", "a", "--role", "assistant", "--text", "x", "--model", "gpt"], "treelog: A model is given as PROVIDER/ID"],
  [["name", "a", "b", "--clear"], "treelog: Give a name or --clear, not both."],
  [["compact", "a"], "treelog: Choose the source of the summary"],
  [["compact", "a", "--summary", "b", "--summarizer", "c"], "treelog: Give --summarizer or --summary, not both."],
  [["compact", "a", "--summary", "b", "--instructions", "c"], "treelog: --instructions needs --summarizer"],
  [["compact", "a", "--summarizer", "b", "--keep", "0"], "argument '0' is invalid. It must be a whole number from 1."],
  [["compact", "a", "--summarizer", "b", "--timeout", "soon"], "argument 'soon' is invalid. It must be a time"],
  [["branch", "a", "b", "--summary", "c", "--summarize", "d"], "treelog: Give --summary or --summarize, not both."],
  [["branch", "a", "b", "--instructions", "c"], "treelog: --instructions needs --summarize."],
  [["context", "--llm", "gemini"], "argument 'gemini' is invalid. Allowed choices are anthropic, openai,"],
  [["context", "--repair"], "treelog: --repair needs --llm"],
  [["context", "--llm", "openai", "--full"], "treelog: --full does not apply to --llm"],
  [["repair"], "treelog: Name a session to repair"],
  [["repair", "--migrate"], "treelog: Name a session, or give --all for every session."],
  [["blobs", "sl"], "treelog: unknown command 'sl' (Did you mean ls?)"],
  [["blobs", "gc", "--grace", "soon"], "argument 'soon' is invalid. It must be a time such as 90s"],
  [["blobs", "gc", "--undo", "--apply"], "treelog: --undo cannot be combined with other options of gc."],
  [["search"], "treelog: `treelog search` needs a terminal to choose in; say what"],
  // Before a store is read: there is none.
  [["resume"], "treelog: `treelog resume` needs a terminal to choose in; name a session"],
  [["search", "x", "--role", "nobody"], "argument 'nobody' is invalid. Allowed choices are user, assistant,"],
  [["search", "role:nobody"], '"nobody" is not a role: use one of user, assistant,'],
  [["search", "x", "--since", "someday"], 'treelog: "someday" is not a time: write 2026-11-23, 30d'],
  [["search", "x", "--all-stores", "--store", "pi"], "option '--all-stores' cannot be used with option '--store"],
  [["list", "--store", "all", "--agent-dir", "x"], "treelog: The stores of all programs are meant: --agent-dir"],
  [["new", "--store", "all"], "treelog: --store all means the stores of all programs: name one of them."],
  [["list", "--until", "soon"], 'treelog: "soon" is not a time'],
  [["files", ""], "treelog: Name the path of a file, or its end."],
  [["stats", "--by", "moon"], "argument 'moon' is invalid. Allowed choices are"],
  [["stats", "--disk", "--by", "day"], "treelog: --disk and --files cannot be combined with --by"],
  [["new", "--id", "../up"], 'treelog: "../up" cannot be a session id'],
])("2: %j cannot be understood", async (argv, message) => {
  const box = sandbox()
  const before = box.snapshot()
  const { code, stdout, stderr } = await box.run(argv)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(message)
  expect(box.snapshot()).toEqual(before)
})

test("2: a reference that fits several sessions lists them", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "Why?")], { id: "aaaa-1" })
  box.store([], { id: "aaaa-2" })
  const { code, stderr } = await box.run(["show", "aaaa"])
  expect(code).toBe(2)
  expect(stderr.split("\n").slice(1)).toEqual([
    "  ID      AGE  NAME OR FIRST MESSAGE",
    expect.stringMatching(/^ {2}aaaa-[12] {3}1h/),
    expect.stringMatching(/^ {2}aaaa-[12] {3}1h/),
    "",
  ])
  expect(stderr).toContain("Why?")
})

test("2: of many sessions that a reference fits the newest are shown, in the trash, too", async () => {
  const box = sandbox()
  for (let at = 10; at < 27; at++) storeAged(box, `aaaa-${at}`, at, { name: "变更日志 ".repeat(at) })
  for (const argv of [
    ["show", "aaaa"],
    ["trash", "restore", "aaaa"],
  ]) {
    if (argv[0] === "trash") await box.run(["delete", "--older-than", "0", "--include-named", "--apply"], NOW)
    const { stderr } = await box.run(argv, { ...NOW, isTTY: true, columns: 60, env: { NO_COLOR: "1" } })
    const lines = stderr.trimEnd().split("\n")
    expect(lines[0]).toBe('treelog: "aaaa" may mean 17 sessions; use more of an id, or a path.')
    expect(lines.slice(2, 10).map((line) => line.split(" ")[2])).toEqual(
      [10, 11, 12, 13, 14, 15, 16, 17].map((at) => `aaaa-${at}`),
    )
    expect(lines.slice(10)).toEqual(["  and 9 more"])
    expect(Math.max(...lines.slice(1).map(widthOf))).toBeLessThanOrEqual(60)
  }
})

test("of two files with one id the newest is meant, and stderr names the other", async () => {
  const box = sandbox()
  const [newer, older] = ["/one", "/two"].map((cwd, at) => storeAged(box, "twin", 1 + at, { cwd }))
  const { code, stderr } = await box.run(["verify", "twin", "--json"], NOW)
  expect([code, stderr]).toEqual([0, ""])
  const shown = await box.run(["show", "twin"], NOW)
  expect(shown.stderr).toBe(
    `This is the copy in ${box.agentDir}, the newest that is whole; there is another one in ${older}.\n`,
  )
  expect((await box.run(["resume", "twin", "--print"], NOW)).stdout).toBe(`${newer}\n`)
})

test("2: the beginning of several entry ids names them", async () => {
  const box = sandbox()
  box.store([userEntry("abc1", null), userEntry("abc2", "abc1")])
  const { code, stderr } = await box.run(["show", "--leaf", "abc"])
  expect(code).toBe(2)
  expect(stderr).toContain('treelog: "abc" may mean 2 entries: abc1, abc2.')
})

test("the beginning of an entry's id names that entry, and not what stands beside it with more behind a colon", async () => {
  const box = sandbox()
  box.store([userEntry("abc1", null), userEntry("abc1:sent", "abc1"), userEntry("abc1:sent:1", "abc1:sent")])
  const { code, stdout } = await box.run(["show", "--leaf", "abc", "--json"])
  expect(code).toBe(0)
  expect(stdout).toContain('"abc1"')
  expect(stdout).not.toContain('"abc1:sent"')
})

test.each([
  [["show", "nothing"]],
  [["show"]],
  [["tree", "@-3"]],
  [["context", "no/such.jsonl"]],
  [["append", "no/such.jsonl", "--role", "user", "--text", "Hi"]],
  [["fork", "no/such.jsonl"]],
  [["verify", "no/such.jsonl"]],
  [["stats", "no/such.jsonl"]],
  [["export", "no/such.jsonl"]],
  [["import", "no/such.jsonl"]],
  [["scan", "no/such.jsonl"]],
  [["watch", "no/such.jsonl"]],
  [["view", "no/such.jsonl"]],
  [["compact", "no/such.jsonl", "--dry-run"]],
  [["compact", "no/such.jsonl", "--summarizer", "touch made"]],
  [["branch", "no/such.jsonl", "root", "--summarize", "touch made"]],
  [["context", "no/such.jsonl", "--llm", "openai"]],
  [["repair", "no/such.jsonl"]],
  [["repair", "--migrate", "no/such.jsonl"]],
  [["blobs", "slim", "no/such.jsonl"]],
  [["blobs", "inflate", "no/such.jsonl"]],
  [["new", "--parent", "no/such.jsonl"]],
])("3: %j finds no session, and makes none", async (argv) => {
  const box = sandbox()
  const before = box.snapshot()
  const { code, stdout, stderr } = await box.run(argv)
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
  expect(stderr).toMatch(/^treelog: \S/)
  expect(box.snapshot()).toEqual(before)
})

test.each([
  [["show", "@last", "--leaf", "zz"]],
  [["context", "@last", "--leaf", "zz"]],
  [["branch", "@last", "zz"]],
  [["branch", "@last", "zz", "--summarize", "touch made"]],
  [["label", "@last", "zz", "here"]],
  [["fork", "@last", "--leaf", "zz"]],
  [["export", "@last", "--leaf", "zz"]],
])("3: %j finds no entry, and writes none", async (argv) => {
  const box = sandbox()
  const path = box.store([userEntry("abc1", null)])
  const before = box.snapshot().filter((line) => line.includes(".jsonl"))
  const { code, stderr } = await box.run(argv)
  expect(code).toBe(3)
  expect(stderr).toContain('begins with "zz"')
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(before)
  expect(path).toContain(".jsonl")
})

test("5: a session that someone else writes is locked, and can be read all the same", async () => {
  const box = sandbox()
  const path = box.store([userEntry("abc1", null, "Hello")])
  const holder = await new SessionManager({
    storage: new FileSessionStorage({ agentDir: box.agentDir, env: {} }),
  }).open(path)
  onTestFinished(() => holder.close())
  for (const argv of [
    ["append", "@last", "--role", "user", "--text", "Hi"],
    ["repair"],
    ["blobs", "slim"],
    ["blobs", "inflate"],
  ]) {
    const { code, stderr } = await box.run(argv[0] === "append" ? argv : [...argv, "@last"])
    expect({ argv, code }).toEqual({ argv, code: 5 })
    expect(stderr).toContain(`process ${process.pid}`)
  }
  for (const command of ["repair", "repair --migrate", "blobs slim", "blobs inflate"])
    expect((await box.run([...command.split(" "), "@last", "--dry-run"])).code).toBe(0)
  expect(await box.print("show")).toContain("Hello")
})

test("1: what the system refuses is a failure", async () => {
  const box = sandbox()
  box.write("project/folder.jsonl/inside", "")
  const { code, stderr } = await box.run(["show", `${box.project}/folder.jsonl`])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^treelog: .*a folder/)
})

test("1: verify could not look at a session whose link leads nowhere", async () => {
  const box = sandbox()
  symlinkSync("nowhere", `${dirname(box.store([]))}/broken.jsonl`)
  const { code, stdout } = await box.run(["verify", "--all"])
  expect(code).toBe(1)
  expect(stdout).toMatch(/broken\.jsonl StorageError Cannot stat/)
})

test("130: an interrupted command ends", async () => {
  const box = sandbox()
  box.store([userEntry("abc1", null)])
  const interrupt = new AbortController()
  interrupt.abort()
  expect((await box.run(["list"], { interrupted: interrupt.signal })).code).toBe(130)
})

test("a session is restored after an error: the next command can write", async () => {
  const box = sandbox()
  box.store([userEntry("abc1", null)])
  expect((await box.run(["label", "@last", "zz", "here"])).code).toBe(3)
  expect((await box.run(["label", "@last", "abc", "here"])).code).toBe(0)
})

test("with --json an error is an object on stderr, with its code and data", async () => {
  const box = sandbox()
  const { stdout, stderr } = await box.run(["show", "nothing", "--json"])
  expect(stdout).toBe("")
  expect(JSON.parse(stderr)).toEqual({
    v: 1,
    error: { code: "SessionNotFoundError", message: expect.any(String), data: { ref: "nothing" } },
  })
  const usage = await box.run(["show", "--jsno", "--json"])
  expect(JSON.parse(usage.stderr)).toEqual({
    v: 1,
    error: {
      code: "UsageError",
      message: "unknown option '--jsno' (Did you mean --json?)",
      data: { reason: "unknownOption" },
    },
  })
})

test("--debug adds where the error comes from", async () => {
  const box = sandbox()
  expect((await box.run(["show", "nothing"])).stderr).not.toContain("    at ")
  expect((await box.run(["show", "nothing", "--debug"])).stderr).toContain("    at ")
})
