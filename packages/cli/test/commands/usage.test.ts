import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  assistantMessage,
  claudeFile,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

// `treelog stats` with --by, --since or --until.

function paidEntry(id: string, day: string, model: string, cost: number): object {
  const usage = { input: 100, output: 20, cacheRead: 1000, cacheWrite: 0, totalTokens: 1120, cost: { total: cost } }
  return {
    ...messageEntry(id, null, assistantMessage("Done", { model, usage: usage as never })),
    timestamp: `${day}T12:00:00.000Z`,
  }
}

function stored(box: Sandbox): void {
  const shared = paidEntry("a1", "2026-03-01", "small", 1)
  box.store([shared, paidEntry("a2", "2026-03-02", "large", 2)], { id: "source" })
  box.store([shared, paidEntry("a3", "2026-03-02", "small", 0.5)], { id: "fork" })
  box.store([paidEntry("o1", "2026-04-02", "small", 4)], { id: "other", cwd: "/elsewhere" })
}

interface Row {
  readonly key?: string
  readonly cost: { readonly reported: number; readonly estimated: number }
  readonly session?: { readonly id: string }
}

function rowsIn(document: Record<string, unknown> | undefined): readonly Row[] {
  return (document?.rows ?? []) as Row[]
}

/** The times of the samples are long ago. */
const ALL = "--all"

test("--by sums tokens and cost of all folders, what forks share once, with a total", async () => {
  const box = sandbox()
  stored(box)
  expect(await box.print("stats", "--by", "day", ALL)).toMatchInlineSnapshot(`
    "day         calls  input  output  cache read  cache write  tokens   cost
    2026-03-01      1    100      20        1.0K            0    1.1K  $1.00
    2026-03-02      2    200      40        2.0K            0    2.2K  $2.50
    2026-04-02      1    100      20        1.0K            0    1.1K  $4.00
    total           4    400      80        4.0K            0    4.5K  $7.50"
  `)
  const keys = async (...argv: string[]): Promise<unknown> => {
    const [document] = (await box.run(["stats", ...argv, "--json"])).json
    return rowsIn(document).map(({ key, cost }) => [key, cost.reported])
  }
  expect(await keys("--by", "week", ALL)).toEqual([
    ["2026-W09", 1],
    ["2026-W10", 2.5],
    ["2026-W14", 4],
  ])
  expect(await keys("--by", "project", ALL)).toEqual([
    ["/elsewhere", 4],
    [box.project, 3.5],
  ])
  expect(await keys("--by", "model", ALL)).toEqual([
    ["anthropic/small", 5.5],
    ["anthropic/large", 2],
  ])
  expect(await keys("--by", "month", "--since", "2026-03-02", "--until", "2026-03-02")).toEqual([["2026-03", 2.5]])
  expect(await keys("--by", "model", "--since", "2020", "--cwd", "/elsewhere")).toEqual([["anthropic/small", 4]])
})

test("--by session names the session; with a session, only that one is summed, at all times", async () => {
  const box = sandbox()
  stored(box)
  const [document] = (await box.run(["stats", "--by", "session", ALL, "--json"])).json
  expect(document).toMatchObject({ by: "session", total: { calls: 4, cost: { reported: 7.5 } }, unreadable: [] })
  expect(rowsIn(document).map(({ session }) => session?.id)).toContain("other")
  const [one] = (await box.run(["stats", "other", ALL, "--by", "day", "--json"])).json
  expect(one).toMatchObject({ rows: [{ key: "2026-04-02", cost: { reported: 4 } }], total: { calls: 1 } })
})

test("--by agent sums what each program's store has, and --by model all of them together", async () => {
  const box = sandbox()
  stored(box)
  box.write(".claude/projects/x/one.jsonl", claudeFile("one", box.project, "hello"))
  const codex = generateCodexHome({ seed: 3, rollouts: 6 })
  for (const { name, text } of codex) box.write(join(".codex", name), text.replaceAll("/home/ada/shop", box.project))
  const pi = join(".pi/agent/sessions", `--${box.project.slice(1).replaceAll("/", "-")}--`, "1_pi.jsonl")
  box.write(pi, sessionText(testHeader({ id: "pi", cwd: box.project }), paidEntry("p1", "2026-03-01", "small", 8)))
  const usage = async (...argv: string[]) => (await box.run(["stats", ...argv, ALL, "--json"])).json[0]
  const [byAgent, byModel] = [
    await usage("--by", "agent", "--all-stores"),
    await usage("--by", "model", "--all-stores"),
  ]
  expect(byAgent?.total).toEqual(byModel?.total)
  const agents = rowsIn(byAgent).map(({ key = "" }) => key)
  expect(agents.sort()).toEqual(["claude-code", "codex", "pi", "treelog"])
  expect(rowsIn(byModel).find(({ key }) => key === "anthropic/small")?.cost.reported).toBe(13.5)
  for (const [store, named] of [
    ["treelog", ["--agent-dir", box.agentDir]],
    ["codex", ["--store", "codex"]],
  ] as const)
    expect(rowsIn(await usage("--by", "agent", ...named))).toMatchObject([{ key: store }])
})

test("counts what several stores have once, for the agent that made it", async () => {
  const box = sandbox()
  const shared = paidEntry("p1", "2026-03-01", "small", 8)
  const pi = join(".pi/agent/sessions", `--${box.project.slice(1).replaceAll("/", "-")}--`, "1_pi.jsonl")
  box.write(pi, sessionText(testHeader({ id: "pi", cwd: box.project }), shared))
  box.store([shared, paidEntry("p2", "2026-03-02", "small", 1)], { id: "copy" })
  for (const [by, sums] of [
    ["agent", { pi: 8, treelog: 1 }],
    ["day", { "2026-03-01": 8, "2026-03-02": 1 }],
  ] as const) {
    const [document] = (await box.run(["stats", "--by", by, "--all-stores", ALL, "--json"])).json
    expect(Object.fromEntries(rowsIn(document).map(({ key, cost }) => [key, cost.reported]))).toEqual(sums)
  }
})

test("finds the session of an id in the store that has it", async () => {
  const box = sandbox()
  stored(box)
  box.write(".claude/projects/x/one.jsonl", claudeFile("one", box.project, "hello"))
  for (const by of ["day", "tool"]) {
    const [document] = (await box.run(["stats", "other", "--by", by, "--json"])).json
    expect(document).toMatchObject({ by, rows: [{}] })
  }
})

test("a terminal shows bars", async () => {
  const box = sandbox()
  stored(box)
  const { stdout } = await box.run(["stats", "--by", "day", ALL], { isTTY: true, columns: 120, env: { NO_COLOR: "1" } })
  const bars = stdout.split("\n").map((line) => line.replace(/[^█]/g, "").length)
  expect(bars).toEqual([0, 5, 13, 20, 0, 0])
})

test("without any usage it says so, and without any session where it looked", async () => {
  const box = sandbox()
  expect(await box.run(["stats", "--by", "day", "--json"])).toMatchObject({ code: 6, stdout: "" })
  expect((await box.run(["stats"])).stderr).toBe(
    `0 sessions examined: looked in ${box.agentDir}; no other agent has a store on this machine.\n`,
  )
  box.store([userEntry("one", null)])
  const { code, stdout, stderr } = await box.run(["stats", "--by", "day"])
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "",
    stderr: "No usage was reported in the last 30 days; --all counts all.\n",
  })
  expect((await box.run(["stats", "--by", "day", ALL])).stderr).toBe("No usage was reported.\n")
  expect((await box.run(["stats", "--since", "2030"])).stderr).toBe("No usage was reported in that time.\n")
})

test("1: names what cannot be read, and sums the others", async () => {
  const box = sandbox()
  stored(box)
  const path = box.store([], { id: "bad" })
  writeFileSync(path, '{"type":"message","id":"a","parentId":null}\n')
  const { code, stdout, stderr } = await box.run(["stats", "--by", "day", ALL])
  expect({ code, stderr }).toEqual({ code: 1, stderr: "Not counted: 1 session that cannot be read.\n" })
  expect(stdout).toContain(`${path} InvalidSessionError`)
  expect(stdout).toContain("$7.50")
})

test("a file that is no session is no fault of sums and of the index", async () => {
  const box = sandbox()
  stored(box)
  writeFileSync(box.store([], { id: "empty" }), "")
  writeFileSync(box.store([], { id: "foreign" }), '{"type":"user","uuid":"a","message":{}}\n')
  const folder = box.store([], { id: "folder" })
  rmSync(folder)
  mkdirSync(folder)
  for (let time = 1; time <= 2; time++) {
    const { code, stdout, stderr } = await box.run(["stats", "--by", "day", ALL])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).not.toContain("InvalidSessionError")
    const update = await box.run(["index", "--update"])
    expect(update).toMatchObject({ code: 0, stdout: "" })
    expect(update.stderr).toContain("2 files that are no sessions")
  }
  expect((await box.run(["stats", "--all", "--json"])).json).toMatchObject([{ unreadable: [], notSessions: 2 }])
  expect((await box.run(["verify", "--all"])).code).toBe(4)
})

test("a rollout of Codex whose first line is damaged counts; of one that is damage alone, stats say so, in text and JSON", async () => {
  const box = sandbox()
  const id = "01a203bc-2fbc-7a02-81fd-38d282610988"
  const folder = ".codex/sessions/2026/11/25/rollout-2026-11-25T10-00-00"
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: "2026-11-25T10:00:00.000Z", type, payload })}\n`
  const counts = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 20, total_tokens: 120 }
  const answer = { type: "message", role: "assistant", content: [{ type: "output_text", text: "So." }] }
  box.write(
    `${folder}-${id}.jsonl`,
    `{"timestamp":"20\n${line("turn_context", { cwd: box.project, model: "gpt-5.5" })}${line("response_item", answer)}${line("event_msg", { type: "token_count", info: { total_token_usage: counts, last_token_usage: counts } })}`,
  )
  const before = await box.run(["stats", "--by", "agent", "--all", "--json"])
  expect([before.code, rowsIn(before.json[0])[0]]).toMatchObject([0, { key: "codex", totalTokens: 120 }])
  box.write(`${folder}-${id.replace("01a203bc", "01a203bd")}.jsonl`, '{"timestamp\n{"time\n')
  const { code, json } = await box.run(["stats", "--by", "agent", "--all", "--json"])
  expect([code, json[0]?.unreadable]).toMatchObject([1, [{ error: { code: "InvalidSessionError" } }]])
  const { stdout, stderr } = await box.run(["stats", "--by", "agent", "--all"])
  expect(stdout + stderr).toContain("nothing but damage")
  expect(stderr).toContain("Not counted: 1 session that cannot be read.")
})
