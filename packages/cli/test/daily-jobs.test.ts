import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assistantMessage, messageEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession } from "./agent-samples.js"
import { type Ran, type Sandbox, sandbox } from "./sandbox.js"
import { started, withAgents } from "./stand-in-agents.js"
import { listOf, viewed } from "./viewed.js"

// A home with sessions of four agents and no store of treelog's: each daily job is one command, without --store.

const [CLAUDE, CODEX] = AGENT_SAMPLES.map(({ id }) => id) as [string, string]
const COST = { input: 0.1, output: 0.1, cacheRead: 0, cacheWrite: 0, total: 0.2 }
const USAGE = { input: 2, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: COST }
const SHAPE = { "claude-code": CLAUDE, codex: CODEX } as const

/** A session of pi or omp in the home folder, with a question and an answer. Returns its path. */
function fileSession(box: Sandbox, program: "pi" | "omp", id: string, said: string, cwd = box.project): string {
  const bucket = `--${cwd.slice(1).replaceAll("/", "-")}--`
  const lines = [
    { type: "session", version: 3, id, timestamp: "2026-03-01T00:00:00.000Z", cwd },
    messageEntry(`${id}-1`, null, userMessage(said, { timestamp: Date.UTC(2026, 2, 1) })),
    messageEntry(
      `${id}-2`,
      `${id}-1`,
      assistantMessage("It is done.", { usage: USAGE, timestamp: Date.UTC(2026, 2, 1, 1) }),
    ),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  return box.write(`.${program}/agent/sessions/${bucket}/2026-03-01T00-00-00-000Z_${id}.jsonl`, text)
}

interface Home {
  readonly box: Sandbox
  readonly pi: string
  readonly omp: string
  /** Runs a command in a folder that has no session. */
  readonly elsewhere: (...argv: string[]) => Promise<Ran>
}

function home(): Home {
  const box = sandbox()
  const pi = fileSession(box, "pi", "pi-lamp", "the lamp of pi is red")
  const omp = fileSession(box, "omp", "omp-lamp", "the lamp of omp is blue")
  for (const sample of AGENT_SAMPLES) agentSession(box, sample, sample.id, `the lamp of ${sample.agent} is green`)
  const other = join(box.folder, "other")
  mkdirSync(other)
  return { box, pi, omp, elsewhere: (...argv) => box.run(["--cwd", other, ...argv]) }
}

describe("every job that reads finds each session by its id, from any folder", () => {
  test.each([
    ["show", "pi-lamp", "red"],
    ["show", "omp-lamp", "blue"],
    ["show", SHAPE["claude-code"], "claude-code is green"],
    ["show", SHAPE.codex, "codex is green"],
    ["tree", "omp-lamp", "blue"],
    ["context", SHAPE.codex, "codex is green"],
    ["export", SHAPE["claude-code"], "claude-code is green"],
  ])("%s %s", async (command, id, said) => {
    const { elsewhere } = home()
    const { code, stdout } = await elsewhere(command, id)
    expect(code).toBe(0)
    expect(stdout).toContain(said)
  })

  // A page is exported where it is built: export-html.slow.test.ts.
  test.each(["md", "text", "jsonl", "json"])("export --format %s", async (format) => {
    const { box, elsewhere } = home()
    expect(
      await elsewhere("export", "omp-lamp", "--format", format, "-o", join(box.folder, `out.${format}`)),
    ).toMatchObject({ code: 0 })
    const text = readFileSync(join(box.folder, `out.${format}`), "utf8")
    expect(text).toContain("the lamp of omp")
  })
})

test("list, search, files, stats, verify and scan are about the sessions of all four agents", async () => {
  const { box } = home()
  expect((await box.run(["list", "--json"])).json.map(({ store }) => store).sort()).toEqual([
    "claude-code",
    "codex",
    "omp",
    "pi",
  ])
  expect(await box.print("list", "--all", "-n", "2")).toMatch(/AGENT/)
  const found = await box.run(["search", "lamp", "--role", "user", "--json"])
  expect(new Set(found.json.map(({ store }) => store)).size).toBe(4)
  expect(await box.run(["search", "nothing-like-that"])).toMatchObject({ code: 1, stdout: "" })
  expect((await box.run(["search", "--prompts", "lamp", "--json"])).json).toHaveLength(4)
  expect(await box.run(["files", "lamp.ts"])).toMatchObject({ stdout: "" })
  expect((await box.run(["verify", "--all"])).stderr).toContain("4 sessions, ")
  expect((await box.run(["scan", "--all"])).stderr).toContain("4 sessions: nothing that looks like a secret")
  expect(await box.run(["stats", "--by", "agent", "--all"])).toMatchObject({ code: 0 })
  expect((await box.run(["completion", "fish", "--json", "--", "show", "omp-l"])).json[0]).toMatchObject({
    candidates: [{ value: "omp-lamp" }],
  })
})

describe("what changes a session changes it where it is, from any folder", () => {
  test.each([
    ["name", "pi-lamp", "Lamps"],
    ["label", "pi-lamp", "pi-lamp-1", "works"],
    ["branch", "pi-lamp", "pi-lamp-1"],
    ["compact", "pi-lamp", "--keep", "1", "--summarizer", "echo S"],
    ["repair", "pi-lamp"],
  ])("%s", async (...argv) => {
    const { box, pi, elsewhere } = home()
    const before = readFileSync(pi, "utf8")
    expect(await elsewhere(...argv)).toMatchObject({ code: 0 })
    expect(readFileSync(pi, "utf8").startsWith(before)).toBe(true)
    expect(existsSync(box.agentDir)).toBe(false)
  })

  test("fork, delete, trash and restore", async () => {
    const { box, omp, elsewhere } = home()
    const forked = await elsewhere("fork", "omp-lamp", "--json")
    expect(String(forked.json[0]?.path)).toContain(join(box.folder, ".omp"))
    expect(await elsewhere("delete", "omp-lamp")).toMatchObject({ code: 0 })
    expect(existsSync(omp)).toBe(false)
    expect((await box.run(["trash", "ls", "--json"])).json.map(({ id }) => id)).toEqual(["omp-lamp"])
    expect(await box.run(["trash", "restore", "--last"])).toMatchObject({ code: 0 })
    expect(existsSync(omp)).toBe(true)
  })

  test.each([
    ["fork", "claude-code", CLAUDE],
    ["fork", "codex", CODEX],
    ["compact", "claude-code", CLAUDE, "--keep", "1", "--summarizer", "echo S"],
  ])(
    "%s of a session of %s makes a copy in the store of new sessions, and says where",
    async (command, agent, ...argv) => {
      const { box, elsewhere } = home()
      const { code, stderr } = await elsewhere(command, ...argv)
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`sessions of ${agent} are only read`),
      })
      const copies = await box.run(["list", "--store", "treelog", "--all", "--json"])
      expect(copies.json).toHaveLength(1)
      expect(String(copies.json[0]?.path)).toContain(box.agentDir)
    },
  )

  test("prune by options, relocate and blobs work on the stores that can be changed, and name the others", async () => {
    const { box, elsewhere } = home()
    const plan = await box.run(["delete", "--all", "--until", "2027", "--older-than", "0"])
    expect(plan.code).toBe(0)
    expect(plan.stderr).toContain("The sessions of claude-code and codex are only read")
    expect(plan.stdout).toContain("pi-lamp")
    const moved = await elsewhere(
      "relocate",
      "--from",
      box.project,
      "--to",
      join(box.folder, "moved"),
      "--apply",
      "--json",
    )
    expect(moved.json).toHaveLength(4)
    expect(await elsewhere("blobs", "ls")).toMatchObject({ code: 0 })
  })

  test("the sessions of Claude Code and Codex are not changed, and what can be done is named", async () => {
    const { box, elsewhere } = home()
    for (const [agent, id] of Object.entries(SHAPE))
      for (const argv of [
        ["name", id, "Lamps"],
        ["label", id, "x", "y"],
        ["delete", id],
        ["repair", id],
      ]) {
        const { code, stderr } = await elsewhere(...argv)
        expect({ argv, code: code === 1 || code === 3 }).toEqual({ argv, code: true })
        if (argv[0] !== "label") expect(stderr).toContain(`treelog import --from ${agent}`)
      }
    expect(existsSync(box.agentDir)).toBe(false)
  })
})

test("a session goes on in its owner or in another agent, and a copy is one conversation with its source", async () => {
  const { box, elsewhere } = home()
  expect((await elsewhere("resume", CLAUDE, "--print", "id")).stdout).toBe(`${CLAUDE}\n`)
  expect(await elsewhere("import", "--from", "claude-code", CLAUDE)).toMatchObject({ code: 0 })
  expect(existsSync(box.agentDir)).toBe(true)
  const copies = (await box.run(["list", "--json"])).json.filter(({ id }) => id === CLAUDE)
  expect(copies).toHaveLength(1)
  expect(copies[0]).toMatchObject({ copies: [{}] })
  expect((await elsewhere("show", CLAUDE)).stderr).toContain("there is another one in")
})

test("a session goes on in its owner, started in the folder of the session, from any folder", async () => {
  const { box, pi, omp } = home()
  const world = { ...withAgents(box, 0, "pi", "omp", "claude", "codex"), isTTY: true, isAsked: true }
  for (const [id, ...call] of [
    ["pi-lamp", "pi", "--session", pi],
    ["omp-lamp", "omp", "--session", omp],
    [CLAUDE, "claude", "--resume", CLAUDE],
    [CODEX, "codex", "resume", CODEX],
  ] as const) {
    expect(await box.run(["resume", id, "--cwd", box.folder], world)).toMatchObject({ code: 0, stdout: "" })
    expect(started(box)).toEqual([box.project, ...call])
  }
  expect(existsSync(box.agentDir)).toBe(false)
})

test.each(["pi-lamp", "omp-lamp", CLAUDE, CODEX])("watch follows %s from any folder, until Ctrl-C", async (id) => {
  const { box, pi } = home()
  const interrupt = new AbortController()
  const late = messageEntry("late", null, userMessage("the lamp is out"))
  const onWrite = (text: string): void => {
    if (text.includes("Watching") && id === "pi-lamp") appendFileSync(pi, `${JSON.stringify(late)}\n`)
    else if (text.includes("Watching") || text.includes("the lamp is out")) interrupt.abort()
  }
  const argv = ["watch", id, "--from-start", "--cwd", box.folder]
  const { code, stdout } = await box.run(argv, { interrupted: interrupt.signal, onWrite })
  expect(code).toBe(130)
  expect(stdout).toContain(id === "pi-lamp" ? "the lamp is out" : "the lamp of")
})

test("the page has the sessions of all four agents", async () => {
  const { box } = home()
  await viewed(box, [], async (url) => {
    const ids = (await listOf(url)).map(({ id }) => id)
    expect(ids.sort()).toEqual(["pi-lamp", "omp-lamp", CLAUDE, CODEX].sort())
  })
})

test("a bundle of everything goes to another home and back", async () => {
  const { box, elsewhere } = home()
  const file = join(box.folder, "all.tar.gz")
  expect(await elsewhere("bundle", "--all", "-o", file)).toMatchObject({ code: 0 })
  const other = sandbox()
  expect(await other.run(["import", file])).toMatchObject({ code: 0 })
  expect((await other.run(["list", "--all", "--json"])).json).toHaveLength(4)
  expect(await other.print("show", "pi-lamp")).toContain("red")
})

test.each([
  ["search", "lamp"],
  ["files", "src/lamp.ts"],
])("%s %s counts what cannot be read in all stores together", async (...argv) => {
  const { box } = home()
  for (const program of ["pi", "omp"])
    box.write(
      `.${program}/agent/sessions/--x--/2026-03-01T00-00-00-000Z_broken.jsonl`,
      '{"type":"message","id":"a","parentId":null}',
    )
  const { stderr } = await box.run([...argv, "--all"])
  expect(stderr).toContain("2 sessions cannot be read; `treelog verify --all` shows why.")
})

test("folders and worktrees of one git repository are one project", async () => {
  const { box } = home()
  const side = join(box.folder, "side")
  box.write("project/.git/HEAD", "ref: refs/heads/main\n")
  box.write("project/.git/worktrees/side/commondir", "../..\n")
  box.write("side/.git", `gitdir: ${join(box.project, ".git/worktrees/side")}\n`)
  fileSession(box, "pi", "pi-sub", "the lamp of a folder", join(box.project, "packages/lamp"))
  fileSession(box, "omp", "omp-side", "the lamp of a worktree", side)
  fileSession(box, "pi", "pi-other", "the lamp of another project", join(box.folder, "other"))
  box.write(".pi/agent/sessions/--x--/2026-03-01T00-00-00-000Z_broken.jsonl", "no session")
  const ids = async (...argv: string[]) =>
    (await box.run([...argv, "--json"])).json.map((row) => String(row.id ?? (row.session as { id: string }).id)).sort()
  const project = ["pi-lamp", "omp-lamp", CLAUDE, CODEX, "pi-sub", "omp-side"].sort()
  for (const folder of [box.project, side, join(box.project, "docs")]) {
    expect(await ids("list", "--cwd", folder)).toEqual(project)
    expect([...new Set(await ids("search", "lamp", "--role", "user", "--cwd", folder))]).toEqual(project)
  }
  expect((await ids("list", "--store", "pi")).length).toBe(2)
  expect(await ids("list", "--cwd", join(box.folder, "other"))).toEqual(["pi-other"])
  const { json } = await box.run(["stats", "--by", "project", "--all", "--json"])
  expect(((json[0]?.rows as { key: string }[] | undefined) ?? []).map(({ key }) => key).sort()).toEqual([
    join(box.folder, "other"),
    box.project,
  ])
  expect(await box.print("list", "--group")).toContain("~/project  6 sessions")
  const kept = await box.run(["delete", "--keep-last", "1", "--older-than", "0"])
  expect(kept.stdout.match(/(?:pi|omp)-(?:lamp|sub|side)/g)).toHaveLength(3)
})
