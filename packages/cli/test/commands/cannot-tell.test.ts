import { mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { documentsOf } from "../published-schemas.js"
import { type Sandbox, sandbox } from "../sandbox.js"

/** A store whose sessions nobody can list. */
function unlistable(): Sandbox {
  const box = sandbox()
  box.write(join("agent", "sessions"), "a file in the place of the folder")
  return box
}

test("what cannot be read is not taken for nothing: in the trash, as the newest session", async () => {
  const box = unlistable()
  const ran = async (...argv: string[]) => {
    const { code, stdout, stderr } = await box.run(argv)
    return [code, stdout + stderr]
  }
  expect(await ran("trash", "ls")).toEqual([1, expect.stringContaining("Cannot tell what is in the trash.")])
  expect(await ran("trash", "restore", "--last")).toEqual([1, expect.stringContaining("ENOTDIR")])
  const none = `There is no session in ${box.agentDir}; 1 session cannot be read, \`treelog verify --all\` shows why.`
  expect(await ran("show", "@last", "--all")).toEqual([3, `treelog: ${none}\n`])
  expect((await box.run(["stats", "--all", "--csv"])).stderr).toContain("Not counted: 1 session that cannot be read.")
})

test("a session that cannot be read has its reason in a bundle of the project", async () => {
  const { stdout } = await unlistable().run(["bundle", "--project", "-o", "b.tar.gz"])
  expect(stdout).toMatch(/ StorageError Cannot list the file: ENOTDIR\n/)
  expect(stdout).not.toContain("[object")
})

test("where no agent has a store, --all-stores says that", async () => {
  const box = sandbox()
  const none = expect.stringContaining(": no agent has a store on this machine.")
  expect(await box.run(["list", "--all-stores"])).toMatchObject({ code: 6, stderr: none })
  expect(await box.run(["search", "a", "--all-stores"])).toMatchObject({ code: 6, stderr: none })
})

test("doctor: sessions whose index cannot be used can be read all the same", async () => {
  const box = sandbox()
  box.store([userEntry("a", null)])
  const { stdout } = await box.run(["index", "--json"])
  const { path } = JSON.parse(stdout)
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true })
  mkdirSync(path)
  const ran = await box.run(["doctor"])
  expect(ran.code).toBe(4)
  expect(ran.stdout).toMatch(/^treelog .*\n {2}1 session\n {2}The index of sessions .* cannot be used/)
  const [document] = (await box.run(["doctor", "--json"])).json
  expect(document).toMatchObject({ total: 1, readable: 1, indexed: null, indexFault: expect.stringContaining(path) })
})

test("list, stats and doctor name what an agent has on the machine and treelog does not read", async () => {
  const box = sandbox()
  box.write(join(".kimi", "sessions", "0a", "b", "context.jsonl"), "{}")
  const folder = join(box.folder, ".kimi", "sessions")
  for (const argv of [["list"], ["list", "--store", "kimi"], ["stats"]])
    expect((await box.run(argv)).stderr).toContain(`Not read: ${folder} (`)
  expect((await box.run(["list", "--store", "kilo"])).stderr).not.toContain("Not read")
  expect((await box.run(["doctor"])).stdout).toContain(`not read: ${folder} (`)
  const documents = (await box.run(["doctor", "--json"])).json as { store: string; unread?: object[] }[]
  expect(documents.find(({ store }) => store === "kimi")?.unread).toEqual([{ path: folder, why: expect.any(String) }])
  const fits = documentsOf("doctor")
  for (const document of documents) expect(fits.some((fit) => fit(document))).toBe(true)
})

test("stats and doctor name the records with tokens that are not counted, where no usage is", async () => {
  const box = sandbox()
  const event = (type: string, data: object, at: number): string =>
    `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-03-07T14:00:0${at}.000Z`, parentId: null })}\n`
  const start = event(
    "session.start",
    { sessionId: "s", startTime: "2026-03-07T14:00:00.000Z", context: { cwd: "/shop" } },
    0,
  )
  const said = event("user.message", { content: "Why?" }, 1) + event("assistant.message", { content: "So." }, 2)
  const sums = event("session.sums", { inputTokens: 500 }, 3)
  box.write(join(".copilot", "session-state", "s", "events.jsonl"), start + said + sums)
  const sentence = "usage that is not counted is in records of the kinds session.sums"
  expect((await box.run(["stats", "--all"])).stderr).toContain(`copilot: ${sentence}.`)
  expect((await box.run(["doctor"])).stdout).toContain(sentence)
  const documents = (await box.run(["doctor", "--json"])).json as { store: string; uncountedKinds?: string[] }[]
  expect(documents.find(({ store }) => store === "copilot")?.uncountedKinds).toEqual(["session.sums"])
})

test("stats name the records with tokens that are not counted, also where other agents have usage", async () => {
  const box = sandbox()
  const timestamp = "2026-03-07T14:00:00.000Z"
  const lines = (records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("")
  const id = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
  const said = {
    type: "user",
    uuid: "u",
    sessionId: id,
    cwd: "/shop",
    timestamp,
    message: { role: "user", content: "Why?" },
  }
  box.write(
    `.claude/projects/-shop/${id}.jsonl`,
    lines([said, { type: "side-call", uuid: "x", timestamp, usage: { input_tokens: 900 } }]),
  )
  const meta = { id, timestamp, cwd: "/shop", originator: "codex", cli_version: "0.171.0" }
  box.write(
    `.codex/sessions/2026/03/07/rollout-2026-03-07T14-00-00-${id}.jsonl`,
    lines([
      { timestamp, type: "session_meta", payload: meta },
      { timestamp, type: "event_msg", payload: { type: "user_message", message: "Why?" } },
      { timestamp, type: "event_msg", payload: { type: "tokens_v2", usage: { input_tokens: 800 } } },
    ]),
  )
  const reply = { role: "model", parts: [{ text: "So." }] }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  const turn = { uuid: "a", parentUuid: null, sessionId: id, timestamp, cwd: "/shop" }
  box.write(
    `.qwen/projects/-shop/chats/${id}.jsonl`,
    lines([{ ...turn, type: "assistant", message: reply, model: "qwen3", usageMetadata }]),
  )
  const { stderr } = await box.run(["stats", "--all"])
  expect(stderr).toBe(
    [
      "claude-code: usage that is not counted is in records of the kinds side-call.\n",
      "codex: usage that is not counted is in records of the kinds event_msg:tokens_v2.\n",
    ].join(""),
  )
  const warnings = (await box.run(["stats", "--all", "--json"])).stderr.trim().split("\n")
  expect(warnings.map((line) => JSON.parse(line).warning)).toMatchObject([
    { code: "UncountedUsage", data: { store: "claude-code", kinds: ["side-call"] } },
    { code: "UncountedUsage", data: { store: "codex", kinds: ["event_msg:tokens_v2"] } },
  ])
  expect((await box.run(["stats", "--all", "--agent", "qwen"])).stderr).toBe("")
})

test("doctor: what an agent has in one folder for all of its stores is named once", async () => {
  const box = sandbox()
  const chats = ".config/github-copilot/iu/chat-sessions/a/chats.db"
  for (const file of [chats, ".copilot/session-state/a/events.jsonl", ".copilot-work/session-state/b/events.jsonl"])
    box.write(file, "")
  const { stdout } = await box.run(["doctor"])
  expect(stdout.match(/not read/g)).toHaveLength(1)
})

test("doctor: a store whose sessions are in another of its folders is shown with that", async () => {
  const box = sandbox()
  const tasks = dirname(dirname(box.write(".cline/data/tasks/1/api_conversation_history.json", "[]")))
  const { json } = await box.run(["doctor", "--json"])
  const sessionsOf = (name: string) => json.find(({ store }) => store === name)?.sessions
  expect(sessionsOf("cline")).toBe(tasks)
  expect(sessionsOf("codex")).toBe(join(box.folder, ".codex", "sessions"))
})
