import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  assistantMessage,
  claudeFile,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Ran, type Sandbox, sandbox, type World } from "../sandbox.js"
import { started, withAgents } from "../stand-in-agents.js"

const CLAUDE = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const STORES = { pi: ".pi/agent", omp: ".omp/agent" } as const

/** A session of each program, and one of Claude Code, in one bundle. */
async function bundled(): Promise<Sandbox> {
  const box = sandbox()
  for (const [id, folder] of Object.entries(STORES))
    box.write(`${folder}/sessions/--x--/2026-03-07T14-00-00-000Z_${id}.jsonl`, textOf(box, id))
  const folder = `.claude/projects/${box.project.replace(/[^a-zA-Z0-9]/g, "-")}`
  box.write(`${folder}/${CLAUDE}.jsonl`, claudeFile(CLAUDE, box.project, "the lamp is green"))
  box.write(`${folder}/${CLAUDE}/tool-results/one.txt`, "a result")
  box.write(`${folder}/${CLAUDE}/tool-results/odd.jsonl`, '{"no":"transcript"}\nnor this\n')
  box.store([userEntry("t", null, "of treelog")], { id: "own" })
  const { code, stderr } = await box.run(["bundle", "--all", "-o", "../all.tgz"], { env: { USER: "ada" } })
  expect(code, stderr).toBe(0)
  return box
}

const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }
function textOf({ project }: Sandbox, id: string): string {
  const answer = assistantMessage(`said ${id}`, { usage: USAGE as never })
  const entries = [userEntry("u", null, `asked ${id}`), messageEntry("a", "u", answer)]
  return sessionText(testHeader({ id, cwd: project }), ...entries)
}

/** The keys of the rows of sums. */
function rowsOf({ json }: Ran): string[] {
  return ((json[0]?.rows ?? []) as { key: string }[]).map(({ key }) => key)
}

/** Another machine, on which no agent has a store. */
const there = (box: Sandbox, env: Record<string, string> = {}): World => {
  const home = join(box.folder, "there")
  return { env: { HOME: home, TREELOG_AGENT_DIR: join(home, "treelog"), ...env } }
}

test("sessions of a bundle go to the stores of their programs, and what can only be read to treelog's own", async () => {
  const box = await bundled()
  for (const status of ["created", "unchanged"]) {
    const { json, stderr } = await box.run(["import", "../all.tgz", "--json"], there(box))
    expect(
      json.map((one) => one.status),
      stderr,
    ).toEqual(Array(4).fill(status))
  }
  for (const [id, folder] of Object.entries(STORES)) {
    const sessions = join(box.folder, "there", folder, "sessions")
    const [name = ""] = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((one) =>
      one.endsWith(".jsonl"),
    )
    expect(readFileSync(join(sessions, name), "utf8")).toBe(textOf(box, id))
  }
  const agents = (json: readonly Record<string, unknown>[]) =>
    json.map(({ id, store, agent = store }) => [id, store, agent].join(" ")).sort()
  const all = await box.run(["list", "--all", "--json"], there(box))
  expect(agents(all.json)).toEqual([`${CLAUDE} treelog claude-code`, "omp omp omp", "own treelog treelog", "pi pi pi"])
  const table = await box.run(["list", "--all"], there(box))
  expect(table.stdout.split("\n").find((line) => line.includes("lamp"))).toContain("claude-code")
  for (const [argv, count] of [
    [["list", "--all", "--agent", "claude-code"], 1],
    [["list", "--all", "--agent", "pi", "-n", "1"], 1],
    [["list", "--all", "--store", "treelog", "--agent", "treelog"], 1],
    [["search", "lamp", "--all", "--agent", "claude-code"], 2],
    [["search", "lamp", "--all", "--agent", "treelog"], 0],
    [["search", "lamp agent:claude-code", "--all"], 2],
    [["search", "lamp agent:treelog", "--all"], 0],
    [["search", "asked agent:omp", "--all"], 1],
  ] as const)
    expect((await box.run([...argv, "--json"], there(box))).json, argv.join(" ")).toHaveLength(count)
  const stats = await box.run(["stats", "--by", "agent", "--all", "--json"], there(box))
  expect(rowsOf(stats).sort()).toEqual(["claude-code", "omp", "pi"])
  const only = await box.run(["stats", "--by", "agent", "--all", "--agent", "pi", "--json"], there(box))
  expect(rowsOf(only)).toEqual(["pi"])
  expect((await box.run(["verify", "--all"], there(box))).code).toBe(0)
})

test("all of it goes to a store that is named, where each session says its agent and who bundled it", async () => {
  const box = await bundled()
  const { code, stderr } = await box.run(["import", "../all.tgz", "--agent-dir", "../one"], there(box))
  expect(code, stderr).toBe(0)
  expect(existsSync(join(box.folder, "there/.pi"))).toBe(false)
  const sources = readdirSync(join(box.folder, "one/sessions"), { recursive: true, encoding: "utf8" })
    .filter((name) => /_[^/]*\.jsonl$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(box.folder, "one/sessions", name), "utf8").split("\n")[0] ?? ""))
    .map(({ source: { agent = "", person } }) => [agent, person].join(" "))
  expect(sources.sort()).toEqual([" ada", "claude-code ada", "omp ada", "pi ada"])
  const one = (...argv: string[]): Promise<Ran> => box.run([...argv, "--agent-dir", "../one"], there(box))
  const listed = (await one("list", "--all", "--json")).json
  expect(listed.map(({ person }) => person)).toEqual(Array(4).fill("ada"))
  expect((await one("show", "pi", "--json")).json).toMatchObject([{ agent: "pi", person: "ada" }])
  expect((await one("show", "pi")).stdout).toContain("pi · bundled by ada")
  expect((await one("search", "asked", "--all", "--json")).json[0]).toMatchObject({ session: { person: "ada" } })
  expect(rowsOf(await one("stats", "--by", "person", "--all", "--json"))).toEqual(["ada"])
})

test("a copy of pi's sessions in another store is counted as pi's, and what is new is appended", async () => {
  const box = await bundled()
  const copy = ["import", "--from", "pi", "--to", "treelog", "--all", "--json"]
  expect((await box.run(copy)).json).toMatchObject([{ status: "created" }])
  expect((await box.run(copy)).json).toMatchObject([{ status: "unchanged", written: 0 }])
  const [source = ""] = (await box.run(copy)).json.map(({ path }) => String(path))
  const more = sessionText(userEntry("more", "a", "later"))
  box.write(source.slice(box.folder.length + 1), textOf(box, "pi") + more)
  expect((await box.run(copy)).json).toMatchObject([{ status: "appended", written: more.length, added: 1 }])
  const stats = await box.run(["stats", "--by", "agent", "--all", "--store", "treelog", "--json"])
  expect(rowsOf(stats)).toEqual(["pi"])
})

test("a session of a bundle is continued in its program", async () => {
  const box = await bundled()
  await box.run(["import", "../all.tgz"], there(box))
  const { env } = withAgents(box, 0, "pi")
  const { code, stderr } = await box.run(["resume", "pi", "--with", "pi"], there(box, env))
  expect(code, stderr).toBe(0)
  const [cwd, program, , path = ""] = started(box)
  expect([cwd, program]).toEqual([box.project, "pi"])
  expect(readFileSync(path, "utf8")).toBe(textOf(box, "pi"))
})

test("a bundle with the id of my session of another program, and other contents, is a session of its own beside mine", async () => {
  const box = sandbox()
  const mine = { ".pi/agent": textOf(box, "mine") }
  const path = "sessions/--x--/2026-03-07T14-00-00-000Z_mine.jsonl"
  for (const [folder, text] of Object.entries(mine)) box.write(`${folder}/${path}`, text)
  // Newer, of another program, with the ids of my entries.
  const later = { timestamp: Date.parse("2026-03-07T14:30:00.000Z") }
  const entries = [
    userEntry("u", null, "run this"),
    messageEntry("a", "u", assistantMessage("so be it", later as never)),
  ]
  box.write(`stranger/.omp/agent/${path}`, sessionText(testHeader({ id: "mine", cwd: box.project }), ...entries))
  const stranger = join(box.folder, "stranger")
  const made = await box.run(["bundle", "--all", "-o", "../s.tgz"], {
    env: { HOME: stranger, TREELOG_AGENT_DIR: join(stranger, "own") },
  })
  expect(made.code, made.stderr).toBe(0)
  for (const status of ["created", "unchanged"]) {
    const { json, stderr } = await box.run(["import", "../s.tgz", "--json"])
    expect(json, stderr).toMatchObject([{ status, formerId: "mine" }])
  }
  const { json } = await box.run(["list", "--json"])
  expect(json.map(({ id, store, otherContentOf }) => [id === "mine", store, otherContentOf])).toEqual([
    [false, "omp", "mine"],
    [true, "pi", undefined],
  ])
  expect((await box.run(["list"])).stdout).toContain("other content")
  expect((await box.run(["show", "mine"])).stdout).toContain("asked mine")
  expect((await box.run(["show", String(json[0]?.id)])).stdout).toContain("another content of mine")
  // A copy that says the same, and more, is still one.
  const grown = `${textOf(box, "mine")}${JSON.stringify(userEntry("more", "a", "and more"))}\n`
  box.write(`stranger/.omp/agent/${path}`, grown)
  await box.run(["bundle", "--all", "-o", "../g.tgz", "--force"], {
    env: { HOME: stranger, TREELOG_AGENT_DIR: join(stranger, "own") },
  })
  expect((await box.run(["import", "../g.tgz", "--json"])).json).toMatchObject([{ status: "created", formerId: null }])
  const listed = (await box.run(["list", "--json"])).json.find(({ id }) => id === "mine")
  expect(listed?.copies).toHaveLength(1)
})
