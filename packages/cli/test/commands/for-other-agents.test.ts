import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { WRITERS } from "@treelog/stores"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { started, withAgents } from "../stand-in-agents.js"

const CLAUDE_ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

/** A session of Claude Code, on a machine where Codex was used, too. */
function scene(): Sandbox {
  const box = sandbox()
  const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
  box.write(`.claude/projects/${folder}/${CLAUDE_ID}.jsonl`, claudeFile(CLAUDE_ID, box.project, "the lamp is green"))
  mkdirSync(join(box.folder, ".codex"))
  return box
}

interface Written {
  readonly id: string
  readonly path: string
  readonly status: string
  readonly receipt: Record<string, Record<string, number>>
}

async function imported(box: Sandbox, ...more: string[]): Promise<Written[]> {
  const { code, stderr, json } = await box.run(["import", CLAUDE_ID, "--to", "codex", "--json", ...more])
  expect(code, stderr).toBe(0)
  return json as unknown as Written[]
}

test("--with codex writes a session of Claude Code for Codex, says what it has, and starts Codex with it, always with the same", async () => {
  const box = scene()
  const { code, stderr } = await box.run(["resume", CLAUDE_ID, "--with", "codex"], withAgents(box, 0, "codex"))
  expect(code, stderr).toBe(0)
  const [cwd, program, verb, id = ""] = started(box)
  expect([cwd, program, verb]).toEqual([box.project, "codex", "resume"])
  expect(stderr).toContain("no calls; no results\n")
  expect(stderr).toContain("branches 1 of 1; no compactions\n")
  const [{ path, status }] = (await imported(box)) as [Written]
  expect(status).toBe("unchanged")
  expect(path).toContain(id)
  expect(readFileSync(path, "utf8")).toContain("the lamp is green")
  const listed = (await box.run(["list", "--store", "codex", "--json"])).json
  expect(listed).toMatchObject([{ id, cwd: box.project }])
})

test("a copy is removed where the agent fails and says nothing in it", async () => {
  const box = scene()
  for (const agent of ["codex", "pi"]) {
    const { code, stderr } = await box.run(["resume", CLAUDE_ID, "--with", agent], withAgents(box, 7, agent))
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${agent} ended with exit code 7.`)])
    expect((await box.run(["list", "--store", agent, "--json"])).json).toEqual([])
  }
})

test("an agent that is not installed, is too old, or was never used here, gets nothing", async () => {
  const box = scene()
  const codex = box.write("bin/codex", "#!/bin/sh\necho codex-cli 0.98.0\n")
  const absent = await box.run(["resume", CLAUDE_ID, "--with", "codex"], { env: { PATH: "/nowhere" } })
  expect(absent.stderr).toContain("`codex` is not installed")
  chmodSync(codex, 0o755)
  const world = { env: { PATH: `${join(box.folder, "bin")}:${process.env.PATH}` } }
  const old = await box.run(["resume", CLAUDE_ID, "--with", "codex"], world)
  expect([old.code, old.stderr]).toEqual([1, expect.stringContaining("`codex` is version 0.98.0")])
  expect(existsSync(join(box.folder, ".codex/sessions"))).toBe(false)
  rmdirSync(join(box.folder, ".codex"))
  const unused = await box.run(["import", CLAUDE_ID, "--to", "codex"])
  expect([unused.code === 0, unused.stdout + unused.stderr]).toEqual([
    false,
    expect.stringContaining("start codex once"),
  ])
  expect(existsSync(join(box.folder, ".codex"))).toBe(false)
})

test("delete removes what treelog wrote for an agent, with --permanent, and nothing that the agent wrote", async () => {
  const box = scene()
  const [{ id, path }] = (await imported(box)) as [Written]
  expect((await box.run(["delete", id])).stderr).toContain("--permanent deletes what treelog wrote")
  appendFileSync(path, '{"timestamp":"2026-11-22T00:00:00Z","type":"event_msg","payload":{"type":"warning"}}\n')
  for (const ref of [id, CLAUDE_ID]) {
    const { code, stdout, stderr } = await box.run(["delete", ref, "--permanent"])
    expect([ref, code === 0, stdout + stderr]).toEqual([
      ref,
      false,
      expect.stringMatching(/are only read|ReadOnlyStorageError/),
    ])
  }
  expect(existsSync(path)).toBe(true)
  const [{ id: other, path: second, status }] = (await imported(box, "--from-summary")) as [Written]
  expect(status).toBe("created")
  expect((await box.run(["delete", other, "--permanent", "--dry-run"])).code).toBe(0)
  expect(existsSync(second)).toBe(true)
  expect((await box.run(["delete", other, "--permanent"])).code).toBe(0)
  expect(existsSync(second)).toBe(false)
})

test("--all there and back copies no copies, but for those that the agent went on with", async () => {
  const box = scene()
  const all = (from: string, to: string) => box.run(["import", "--from", from, "--to", to, "--all"])
  expect((await all("claude-code", "codex")).stderr).toContain("1 created.")
  const [{ path }] = (await imported(box)) as [Written]
  const back = await all("codex", "claude-code")
  expect([back.code, back.stderr]).toEqual([
    0,
    expect.stringContaining("1 left out, which are copies that nothing was added to."),
  ])
  expect((await all("claude-code", "codex")).stderr).toContain("1 unchanged.")
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: "And the other lamp?" }] }
  appendFileSync(
    path,
    `${JSON.stringify({ timestamp: "2026-11-22T00:00:00Z", type: "response_item", payload: said })}\n`,
  )
  expect((await all("codex", "claude-code")).stderr).toContain("1 created.")
})

/** Answers as Codex's server does, and notes which threads it was asked for. */
const SERVER = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs")
console.log("{}\\nNo JSON")
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "thread/read") appendFileSync(process.env.HOME + "/.codex/read", params.threadId + "\\n")
  if (id !== undefined) console.log(JSON.stringify(process.env.REFUSES ? { id, error: {} } : { id, result: {} }))
})
`

test("import has Codex read what it writes, so that its picker shows it, and says how it does where Codex does not", async () => {
  const box = scene()
  chmodSync(box.write("bin/codex", SERVER), 0o755)
  const PATH = `${join(box.folder, "bin")}:${process.env.PATH}`
  const run = (env: Record<string, string>, ...more: string[]) =>
    box.run(["import", CLAUDE_ID, "--to", "codex", ...more], { env })
  await run({ PATH }, "--dry-run")
  expect(existsSync(join(box.folder, ".codex/read"))).toBe(false)
  const { code, stdout, stderr } = await run({ PATH })
  expect(code, stderr).toBe(0)
  expect(readFileSync(join(box.folder, ".codex/read"), "utf8").trim()).toBe(stdout.split(" ")[0])
  expect(stderr).not.toContain("picker")
  for (const env of [{ PATH, REFUSES: "1" }, { PATH: "/nowhere" }]) {
    const unread = await run(env)
    expect([unread.code, unread.stderr]).toEqual([0, expect.stringContaining(`codex resume ${stdout.split(" ")[0]}`)])
  }
})

test("--all-branches writes each branch as a session, and --leaf one that ends earlier", async () => {
  const box = sandbox()
  mkdirSync(join(box.folder, ".codex"))
  const entries = [
    userEntry("aaaa0001", null, "first"),
    userEntry("aaaa0002", "aaaa0001", "second"),
    userEntry("aaaa0003", "aaaa0001", "third"),
  ]
  box.store(entries, { id: "tree" })
  const run = async (...more: string[]) =>
    (await box.run(["import", "tree", "--to", "codex", "--json", ...more])).json as unknown as Written[]
  const all = await run("--all-branches")
  expect(
    all.map(({ path }) => readFileSync(path, "utf8")).map((text) => [/second/.test(text), /third/.test(text)]),
  ).toEqual([
    [false, true],
    [true, false],
  ])
  expect(all[0]?.receipt.branches).toMatchObject({ source: 2, preserved: 2, dropped: 0 })
  const [short] = await run("--leaf", "aaaa0001")
  expect(short?.status).toBe("created")
  expect(readFileSync(short?.path ?? "", "utf8")).not.toMatch(/second|third/)
  expect((await run("--dry-run"))[0]?.status).toBe("unchanged")
})

test("Help names all agents that sessions are written for; without --from, another one is refused with their names", async () => {
  const box = scene()
  const helps = await Promise.all(["import", "resume"].map((command) => box.run([command, "--help"])))
  for (const { stdout } of helps) for (const agent of WRITERS.keys()) expect(stdout).toContain(agent)
  const { code, stderr } = await box.run(["import", CLAUDE_ID, "--to", "kilo"])
  expect([code, stderr]).toEqual([2, expect.stringContaining(`written for: ${[...WRITERS.keys()].join(", ")}.`)])
})
