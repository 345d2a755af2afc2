import { renameSync, symlinkSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { assistantEntry, messageEntry, TEST_START, userEntry, userMessage } from "@treelog-internal/test-kit"
import { zstdFrame } from "@treelog-internal/test-kit/codex"
import { expect, test } from "vitest"
import { AGENT_SAMPLES, type AgentSample, agentSession } from "../agent-samples.js"
import { NOW, storeAged } from "../housekeeping-box.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const HOUR = 3_600_000

function withSessions(): Sandbox {
  const box = sandbox()
  const asked = (text: string, hoursAgo: number) =>
    messageEntry("one", null, userMessage(text, { timestamp: TEST_START - hoursAgo * HOUR }))
  box.store([asked("变更日志 ✅", 2), { ...userEntry("two", "one"), type: "session_info", name: "审计" }], {
    id: "01950000-aaaa",
  })
  box.store([asked("Plain\nwords", 50), assistantEntry("two", "one")], { id: "01950000-bbbb" })
  box.store([asked("Elsewhere", 1)], { id: "01960000", cwd: "/elsewhere" })
  return box
}

/** A header holds the folder, so that a size depends on where the temporary folder lies. */
const withoutSizes = (text: string) => text.replace(/ \d{3} B /g, " ### B ")

test("lists the sessions of this folder, newest first, in columns", async () => {
  const box = withSessions()
  expect(withoutSizes(await box.print("list"))).toMatchInlineSnapshot(`
    "ID          AGE   SIZE  MSGS  MODEL        STATUS   NAME OR FIRST MESSAGE
    01950000-b   1h  ### B     2  claude-test           Plain
    01950000-a   3h  ### B     1               pending  审计"
  `)
})

test("--all lists every folder's, and reports whose they are", async () => {
  const box = withSessions()
  expect(withoutSizes(await box.print("list", "--all"))).toMatchInlineSnapshot(`
    "ID          AGE   SIZE  MSGS  MODEL        FOLDER      STATUS   NAME OR FIRST MESSAGE
    01950000-b   1h  ### B     2  claude-test  ~/project            Plain
    01960000     2h  ### B     1               /elsewhere  pending  Elsewhere
    01950000-a   3h  ### B     1               ~/project   pending  审计"
  `)
})

test("--cwd lists another folder's", async () => {
  const box = withSessions()
  const path = (await box.run(["list", "--all", "--json"])).json.find(({ id }) => id === "01960000")?.path as string
  expect((await box.run(["list", "--cwd", "/elsewhere", "--session-dir", dirname(path), "--json"])).json).toHaveLength(
    1,
  )
})

test("--limit shows only the newest, with --json in the same order", async () => {
  const box = withSessions()
  expect((await box.print("list", "--all", "--limit", "2")).split("\n")).toHaveLength(3)
  const { json } = await box.run(["list", "--all", "--limit", "2", "--json"])
  expect(json.map(({ id }) => id)).toEqual(["01950000-bbbb", "01960000"])
})

test("says that a limit leaves sessions out, and nothing where it leaves none out", async () => {
  const box = withSessions()
  const stderrOf = async (...argv: string[]) => (await box.run(["list", "--all", ...argv])).stderr
  expect(await stderrOf("--limit", "2")).toBe("There are more sessions; --limit shows more.\n")
  expect(JSON.parse(await stderrOf("--limit", "2", "--json"))).toMatchObject({
    warning: { code: "MoreThanLimit", data: { limit: 2 } },
  })
  const { json } = await box.run(["list", "--all", "--json"])
  expect(await stderrOf("--limit", String(json.length))).toBe("")
  expect(await stderrOf("--limit", String(json.length - 1), "--since", "2000")).toContain("There are more sessions")
})

test("a session that cannot be read is a row with its error, and hides no other", async () => {
  const box = withSessions()
  const folder = dirname(box.store([], { id: "empty" }))
  box.write(`${folder.slice(box.folder.length)}/2026-03-07T14-00-00-000Z_bad.jsonl`, "nonsense\n")
  symlinkSync("nowhere", `${folder}/2026-03-07T14-00-00-000Z_lost.jsonl`)
  const { code, stdout } = await box.run(["list"])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^bad .*! broken {2}the file is not a session/m)
  expect(stdout).toMatch(/^lost .*! broken {2}Cannot stat the file: ENOENT/m)
  expect(stdout.trimEnd().split("\n")).toHaveLength(6)
  const { json } = await box.run(["list", "--json"])
  expect(json.find(({ id }) => id === "bad")).toMatchObject({ v: 1, error: { code: "InvalidSessionError" } })
})

test("lines fit the terminal, and titles are cut at 200 columns in a pipe", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "word ".repeat(50))])
  const { stdout } = await box.run(["list"], { isTTY: true, columns: 60, env: { NO_COLOR: "1" } })
  // The text is cut at a space.
  expect(stdout.split("\n").map(({ length }) => length)).toEqual([expect.any(Number), 59, 0])
  const [, row = ""] = (await box.print("list")).split("\n")
  expect(row.slice(row.indexOf("word"))).toBe(`${"word ".repeat(40).slice(0, 199)}…`)
})

test("on a narrow terminal, the title is the last that is left out", async () => {
  const box = sandbox()
  for (const sample of AGENT_SAMPLES) agentSession(box, sample, sample.id, "Why is the lamp out of order?")
  const titlesAt = async (columns: number) =>
    (await box.run(["list", "--all"], { isTTY: true, columns, env: { NO_COLOR: "1" } })).stdout.split("\n")[0]
  expect(await titlesAt(40)).toMatch(/^ID +AGE +(STATUS +)?NAME OR FIRST/)
  expect(await titlesAt(80)).toMatch(/^ID +AGENT .*STATUS +NAME OR FIRST MESSAGE$/)
})

test.each(["list", "stats", "files a.ts", "search lamp", "delete"])(
  "%s refuses limits that have no time between them",
  async (line) => {
    const { code, stderr } = await sandbox().run([...line.split(" "), "--since", "7d", "--until", "30d"])
    expect([code, stderr]).toEqual([2, 'treelog: No time is since "7d" and until "30d": swap the two.\n'])
  },
)

test("nothing is said of the status of what is complete or empty", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), assistantEntry("two", "one")], { id: "whole" })
  box.store([], { id: "empty" })
  box.store([userEntry("one", null)], { id: "asked" })
  const [titles = "", ...rows] = (await box.print("list")).split("\n")
  const from = titles.indexOf("STATUS")
  expect(rows.map((row) => row.slice(from, titles.indexOf("NAME", from)).trim()).sort()).toEqual(["", "", "pending"])
})

test("says on stderr that there is none, and prints nothing", async () => {
  const box = sandbox()
  const { code, stdout, stderr } = await box.run(["list"])
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" })
  expect(stderr).toBe(
    `There is no session of ${box.project} in ${box.agentDir}; --all looks in every folder; no other agent has a store on this machine.\n`,
  )
  expect((await box.run(["list", "-q"])).stderr).toBe("")
  expect(JSON.parse((await box.run(["list", "--json"])).stderr)).toMatchObject({
    warning: { code: "NothingExamined", data: { stores: [box.agentDir], cwd: box.project } },
  })
})

test("--store reads the store of another program where it lies", async () => {
  const box = sandbox()
  const text = `${JSON.stringify({ type: "session", version: 3, id: "pi-1", timestamp: "2026-01-01T00:00:00.000Z", cwd: box.project })}\n`
  const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
  box.write(`.pi/agent/sessions/${bucket}/2026-01-01T00-00-00-000Z_pi-1.jsonl`, text)
  expect((await box.run(["list", "--store", "pi", "--json"])).json.map(({ id }) => id)).toEqual(["pi-1"])
  expect((await box.run(["list", "--store", "omp", "--json"])).json).toEqual([])
})

test("reports on a terminal how far it is when it takes more than a second", async () => {
  const box = withSessions()
  let time = 0
  const now = () => (time += 700)
  expect((await box.run(["list"], { isTTY: true, now })).stderr).toContain("Scanned 3 sessions")
  expect((await box.run(["list"], { now })).stderr).toBe("")
})

test("what is shown of an id fits no other session, also where names do not tell ids", async () => {
  const box = sandbox()
  const [first, second] = ["aaaaaaaa-bbbb-1", "aaaaaaaa-bbbb-2"].map((id) =>
    box.store([userEntry("one", null)], { id }),
  )
  for (const [path, name] of [
    [first, "one.jsonl"],
    [second, "two.jsonl"],
  ] as const)
    renameSync(path ?? "", join(dirname(path ?? ""), name))
  expect(await box.print("list")).toMatch(/^aaaaaaaa-bbbb-1 .*\naaaaaaaa-bbbb-2 /m)
  expect(await box.print("list", "--all")).toMatch(/^aaaaaaaa-bbbb-1 .*\naaaaaaaa-bbbb-2 /m)
})

test("a cache that cannot be written is reported on stderr, once, and the list is whole", async () => {
  const box = withSessions()
  const blocked = box.write("a-file", "")
  const env = { TREELOG_CACHE_DIR: blocked }
  const { code, stdout, stderr } = await box.run(["list", "--all"], { env })
  expect([code, stdout]).toEqual([0, `${await box.print("list", "--all")}\n`])
  expect(stderr).toBe(`Cannot write ${blocked}: ENOTDIR. Lists are complete without that cache, but slower.\n`)
  expect((await box.run(["show"], { env })).stderr).toBe(stderr)
  expect((await box.run(["list", "-q"], { env })).stderr).toBe("")
  const { json, stderr: described } = await box.run(["list", "--all", "--json"], { env })
  expect(json).toHaveLength(3)
  expect(JSON.parse(described)).toMatchObject({
    v: 1,
    warning: { code: "StorageError", data: { key: blocked, operation: "write", errno: "ENOTDIR" } },
  })
})

test("--since and --until limit it by the last message", async () => {
  const box = sandbox()
  for (const days of [1, 5, 40]) storeAged(box, `aged-${days}`, days)
  const ids = async (...argv: string[]): Promise<unknown[]> =>
    (await box.run(["list", "--json", ...argv], NOW)).json.map(({ id }) => id)
  expect(await ids("--since", "7d")).toEqual(["aged-1", "aged-5"])
  expect(await ids("--until", "7d")).toEqual(["aged-40"])
  expect(await ids("--since", "30d", "--until", "2d")).toEqual(["aged-5"])
  expect(await ids("--since", "7d", "--limit", "1")).toEqual(["aged-1"])
  expect(await ids("--until", "2d", "--limit", "1")).toEqual(["aged-5"])
})

test("--group lists every folder's sessions under the folder, that of the newest first", async () => {
  const box = withSessions()
  expect(withoutSizes(await box.print("list", "--group"))).toMatchInlineSnapshot(`
    "ID          AGE   SIZE  MSGS  MODEL        STATUS   NAME OR FIRST MESSAGE

    ~/project  2 sessions
    01950000-b   1h  ### B     2  claude-test           Plain
    01950000-a   3h  ### B     1               pending  审计

    /elsewhere  1 session
    01960000     2h  ### B     1               pending  Elsewhere"
  `)
  const { json } = await box.run(["list", "--group", "--json"])
  expect(json.map(({ id }) => id)).toEqual(["01950000-bbbb", "01950000-aaaa", "01960000"])
  expect((await box.print("list", "--group", "-n", "2")).split("\n")).toHaveLength(7)
  expect(await box.print("list", "--group", "--all-stores")).toContain("~/project  2 sessions")
  expect((await sandbox().run(["list", "--group"])).stderr).toContain("There is no session in ")
})

test("a terminal shows each further day before its first session, and the folders where they differ", async () => {
  const box = sandbox()
  for (const [id, day] of [
    ["new", 8],
    ["old", 7],
    ["older", 7],
  ] as const)
    box.store([messageEntry(`${id}-1`, null, userMessage(id, { timestamp: Date.UTC(2026, 2, day, 12) }))], { id })
  const { stdout } = await box.run(["list"], { isTTY: true, columns: 80, env: { NO_COLOR: "1" } })
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(["ID", "new", "2026-03-07", "old", "older"])
  expect(stdout).not.toContain("FOLDER")
  expect((await box.run(["list"])).stdout).not.toContain("2026-03-07\n")
})

test("--json: times are whole milliseconds, also of a session whose records have none", async () => {
  const box = sandbox()
  const untimed = box.write(
    ".claude/projects/p/0a0b.jsonl",
    '{"type":"custom-title","customTitle":"x","sessionId":"0a0b"}\n',
  )
  // The end of a compressed rollout is not read.
  const [, { fileOf }] = AGENT_SAMPLES as [AgentSample, AgentSample]
  const packed = zstdFrame(Buffer.from(fileOf("01a203bc-2fbc-7a02-81fd-38d282610988", box.project, "hello")))
  const rollout = "rollout-2026-11-22T14-49-54-01a203bc-2fbc-7a02-81fd-38d282610988.jsonl.zst"
  for (const path of [untimed, box.write(`.codex/archived_sessions/${rollout}`, packed)])
    utimesSync(path, 1_700_000_000.0004, 1_700_000_000.0004)
  const { json } = await box.run(["list", "--all", "--all-stores", "--json"])
  expect(json).toHaveLength(2)
  for (const { created, modified } of json) expect([created, modified].every(Number.isInteger)).toBe(true)
})

test("--json: each row names the agent that made the session", async () => {
  const box = sandbox()
  for (const sample of AGENT_SAMPLES) agentSession(box, sample, sample.id, "hello")
  const header = { type: "session", version: 3, id: "a", timestamp: "2026-03-07T14:00:00.000Z", cwd: box.project }
  const omp = [header, userEntry("one", null)].map((one) => `${JSON.stringify(one)}\n`).join("")
  box.write(".omp/agent/sessions/--p--/2026-03-07T14-00-00-000Z_a.jsonl", omp)
  const { json } = await box.run(["list", "--all", "--all-stores", "--json"])
  expect(json.map(({ agent }) => agent).sort()).toEqual(["claude-code", "codex", "omp"])
})

test("where a folder is named and has no sessions, the hint names what named it", async () => {
  const box = sandbox()
  const hintFor = async (...argv: string[]) => (await box.run(["list", ...argv])).stderr
  expect(await hintFor("--agent-dir", "none")).toContain("; without --agent-dir, those of all agents are listed.")
  expect(await hintFor("--store", "omp")).toContain("; without --store, those of all agents are listed.")
})

test("--live says what sessions do: Claude Code works, by the file of its process, and one without a process is dead", async () => {
  const box = sandbox()
  const [claude] = AGENT_SAMPLES
  if (!claude) throw new Error("There is no sample of Claude Code.")
  const at = TEST_START + 24 * HOUR
  utimesSync(agentSession(box, claude, claude.id, "works"), at / 1_000, at / 1_000)
  const status = { pid: process.pid, sessionId: claude.id, status: "busy", statusUpdatedAt: at - HOUR }
  const file = box.write(join(claude.folder, "sessions", "1.json"), JSON.stringify(status))
  const stopped = box.store([messageEntry("one", null, userMessage("stopped", { timestamp: at - 2 * HOUR }))], {
    id: "01950000-aaaa",
  })
  utimesSync(stopped, at / 1_000 - 7_200, at / 1_000 - 7_200)
  const world = { now: () => at }
  const { json } = await box.run(["list", "--live", "--json"], world)
  expect(json.map(({ id, live }) => [id, live])).toEqual([
    ["01950000-aaaa", expect.objectContaining({ state: "dead" })],
    [
      claude.id,
      {
        state: "works",
        since: at - HOUR,
        by: [{ what: "pid-file", says: `process ${process.pid} has it, and says busy`, pid: process.pid, path: file }],
      },
    ],
  ])
  const { stdout } = await box.run(["list", "--live"], world)
  expect(stdout).toMatch(/ STATE .*\n.* dead \d+h .*stopped\n.* works 1h .*works\n$/)
})

test("--live says that nothing was written to lately, and no process has anything", async () => {
  const box = withSessions()
  const { code, stderr } = await box.run(["list", "--live"], { now: () => TEST_START + 30 * 24 * HOUR })
  expect(code).toBe(6)
  expect(stderr).toContain("There is no session that a process has, or that was written to in the last day,")
})
