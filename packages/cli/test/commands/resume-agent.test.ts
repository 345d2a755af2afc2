import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ownerRules } from "@treelog/agents"
import { WRITERS } from "@treelog/stores"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { bigHome } from "../big-home.js"
import { agentCommand, agentLine } from "../door.js"
import { type Sandbox, sandbox } from "../sandbox.js"
import { started, withAgents } from "../stand-in-agents.js"

const CLAUDE_ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

function claudeSession(box: Sandbox): void {
  const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
  box.write(`.claude/projects/${folder}/${CLAUDE_ID}.jsonl`, claudeFile(CLAUDE_ID, box.project, "the lamp is green"))
}

test.each([
  ["pi", "cd /home/ada/shop && pi --session /home/ada/a.jsonl"],
  ["omp", "cd /home/ada/shop && omp --session /home/ada/a.jsonl"],
  ["xcsh", "cd /home/ada/shop && xcsh --session /home/ada/a.jsonl"],
  ["claude-code", "cd /home/ada/shop && claude --resume one"],
  ["codex", "cd /home/ada/shop && codex resume one"],
] as const)("%s goes on by `%s`", (agent, line) => {
  expect(agentLine(agentCommand(agent, { path: "/home/ada/a.jsonl", id: "one", cwd: "/home/ada/shop" }))).toBe(line)
})

test.each(["--dangerously-skip-permissions", "-c", "a b", "", "\u001b[2J", "../x"])(
  "an id from a file is never an option of an agent: %j",
  (id) => {
    const session = { path: "/home/ada/a.jsonl", id, cwd: "/home/ada/shop" }
    for (const agent of ["claude-code", "codex", "pi"] as const)
      expect(() => agentCommand(agent, session)).toThrow("no agent writes such ids")
  },
)

test("a line to copy quotes what a shell would read otherwise", () => {
  const session = { path: "/x/it's;rm -rf.jsonl", id: "a", cwd: "/home/$(id)" }
  expect(agentLine(agentCommand("pi", session))).toBe("cd '/home/$(id)' && pi --session '/x/it'\\''s;rm -rf.jsonl'")
})

test("--with copies the session to another agent, and starts that in the folder of the session", async () => {
  const box = sandbox()
  claudeSession(box)
  const world = withAgents(box, 0, "pi")
  const { code, stderr } = await box.run(["resume", "--last", "--with", "pi"], world)
  expect(code, stderr).toBe(0)
  const [cwd, program, option, path = ""] = started(box)
  expect([cwd, program, option]).toEqual([box.project, "pi", "--session"])
  expect(path.startsWith(join(box.folder, ".pi/agent/sessions"))).toBe(true)
  expect(readFileSync(path, "utf8")).toContain("the lamp is green")
  expect(stderr).toContain(`cd ${box.project} && pi --session ${path}\n`)
  // The second time, it is the same copy.
  await box.run(["resume", CLAUDE_ID, "--store", "claude-code", "--with", "pi"], world)
  expect(started(box).at(-1)).toBe(path)
})

test("a copy for pi has its images in its lines, and one that is there already is not made again", async () => {
  const box = sandbox()
  const data = Buffer.alloc(4000, 7).toString("base64")
  await box.print("new", "--id", "own")
  const image = { role: "user", content: [{ type: "image", mimeType: "image/png", data }], timestamp: 1 }
  await box.print("append", "own", JSON.stringify(image))
  const world = withAgents(box, 0, "pi")
  for (let time = 0; time < 2; time++)
    expect((await box.run(["resume", "own", "--store", "treelog", "--with", "pi"], world)).code).toBe(0)
  const [, , , path = ""] = started(box)
  expect(readFileSync(path, "utf8")).toContain(data)
  expect((await box.run(["list", "--store", "pi", "--all", "--json"])).json).toHaveLength(1)
})

test("--leaf goes on from an entry, in a copy of its branch", async () => {
  const box = sandbox()
  const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
  const header = { type: "session", version: 3, id: "tree", timestamp: "2026-03-01T00:00:00.000Z", cwd: box.project }
  const entries = [userEntry("aaaa0001", null, "first"), userEntry("aaaa0002", "aaaa0001", "second")]
  const text = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("")
  const source = box.write(`.pi/agent/sessions/${bucket}/2026-03-01T00-00-00-000Z_tree.jsonl`, text)
  const { code, stderr } = await box.run(
    ["resume", "tree", "--leaf", "aaaa0001", "--with", "pi"],
    withAgents(box, 0, "pi"),
  )
  expect(code, stderr).toBe(0)
  const path = started(box).at(-1) ?? ""
  expect(path).not.toBe(source)
  expect(readFileSync(path, "utf8")).toContain("first")
  expect(readFileSync(path, "utf8")).not.toContain("second")
  expect(readFileSync(source, "utf8")).toBe(text)
})

/** The sessions of pi, by what is said in them. */
function piTexts(box: Sandbox): string[] {
  const folder = join(box.folder, ".pi/agent/sessions")
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
}

test("--leaf where nothing follows goes on with the session itself", async () => {
  const box = sandbox()
  const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
  const header = { type: "session", version: 3, id: "tree", timestamp: "2026-03-01T00:00:00.000Z", cwd: box.project }
  const label = { type: "label", id: "aaaa0003", parentId: "aaaa0002", targetId: "aaaa0001", label: "x" }
  const entries = [userEntry("aaaa0001", null, "first"), userEntry("aaaa0002", "aaaa0001", "second"), label]
  const text = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("")
  const source = box.write(`.pi/agent/sessions/${bucket}/2026-03-01T00-00-00-000Z_tree.jsonl`, text)
  const argv = ["resume", "tree", "--leaf", "aaaa0002", "--with", "pi"]
  expect((await box.run(argv, withAgents(box, 0, "pi"))).code).toBe(0)
  expect(started(box).at(-1)).toBe(source)
  expect(piTexts(box)).toEqual([text])
})

test("from an entry of Claude Code, --with goes on in a fork of the copy", async () => {
  const box = sandbox()
  claudeSession(box)
  const { json } = await box.run(["show", CLAUDE_ID, "--json"])
  const items = json[0]?.items as { entry: { id: string } }[]
  const first = items[0]?.entry.id ?? ""
  const argv = ["resume", CLAUDE_ID, "--leaf", first, "--with", "pi"]
  const { code, stderr } = await box.run(argv, withAgents(box, 0, "pi"))
  expect(code, stderr).toBe(0)
  const fork = readFileSync(started(box).at(-1) ?? "", "utf8")
  expect(fork).toContain("the lamp is green")
  const [copy = ""] = piTexts(box).filter((text) => text !== fork)
  expect(fork.split("\n").length).toBeLessThan(copy.split("\n").length)
})

test("an agent that continues whole sessions only is not started at an entry, and what can be done is named", async () => {
  const box = sandbox()
  const start = { type: "session_start", id: CLAUDE_ID, title: "One", version: 2, cwd: box.project }
  const said = (id: string, role: string) => {
    const message = { role, content: [{ type: "text", text: role }] }
    return { type: "message", id, timestamp: "2026-03-01T00:00:00.000Z", message }
  }
  const records = [start, said("u1", "user"), said("u2", "assistant")]
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("")
  box.write(`.factory/sessions/-home-ada-shop/${CLAUDE_ID}.jsonl`, text)
  const { code, stderr } = await box.run(["resume", CLAUDE_ID, "--leaf", "u1"])
  expect(code).toBe(2)
  expect(stderr).toContain("droid continues whole sessions only")
  expect(stderr).toContain(`treelog resume ${CLAUDE_ID} --leaf u1 --with pi --store droid`)
  expect(stderr).toContain(`treelog resume ${CLAUDE_ID} --store droid`)
})

test("Claude Code goes on from an entry in a copy that is written for it, and its own session stays as it is", async () => {
  const box = sandbox()
  claudeSession(box)
  const { json } = await box.run(["show", CLAUDE_ID, "--json"])
  const items = json[0]?.items as { entry: { id: string } }[]
  const path = await box.print("resume", CLAUDE_ID, "--leaf", items[0]?.entry.id ?? "")
  expect(path).not.toContain(CLAUDE_ID)
  expect(readFileSync(path, "utf8")).toContain("the lamp is green")
  expect((await box.run(["list", "--store", "claude-code", "--json"])).json).toHaveLength(2)
  expect(await box.print("resume", CLAUDE_ID, "--leaf", items[0]?.entry.id ?? "")).toBe(path)
})

test.each([
  ["--leaf", "aaaa0001", "treelog fork SESSION --leaf ENTRY"],
  ["--with", "omp", "treelog import --from STORE --to STORE SESSION"],
])("--print writes nothing: with %s it is refused, and names what makes the copy", async (option, value, instead) => {
  const box = sandbox()
  box.store([userEntry("aaaa0001", null, "first"), userEntry("aaaa0002", "aaaa0001", "second")], { id: "own" })
  const { code, stderr } = await box.run(["resume", "own", option, value, "--print"])
  expect(code).toBe(2)
  expect(stderr).toContain(instead)
  expect((await box.run(["list", "--json"])).json).toHaveLength(1)
})

test("for an agent that is not installed, or a folder that is gone, nothing is written", async () => {
  const box = sandbox()
  claudeSession(box)
  const { code, stderr } = await box.run(["resume", "--last", "--with", "omp"], { env: { PATH: "/nowhere" } })
  expect(code).toBe(1)
  expect(stderr).toContain("`omp` is not installed, or not on PATH. Once it is, continue with: treelog resume ")
  expect(existsSync(join(box.folder, ".omp"))).toBe(false)
  box.store([userEntry("aaaa0001", null, "hi"), userEntry("aaaa0002", "aaaa0001", "ho")], {
    id: "moved",
    cwd: join(box.folder, "gone"),
  })
  for (const [leaf, why] of [
    ["aaaa0001", "The folder of the session is gone"],
    ["cccc0001", "The folder of the session is gone"],
  ] as const) {
    const gone = await box.run(["resume", "moved", "--leaf", leaf, "--with", "pi"], withAgents(box, 0, "pi"))
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining(why)])
  }
  box.store([userEntry("aaaa0001", null, "hi")], { id: "here" })
  const absent = await box.run(["resume", "here", "--leaf", "cccc0001", "--with", "pi"], withAgents(box, 0, "pi"))
  expect(absent.stderr).toContain("No entry of this session")
  expect([existsSync(join(box.folder, ".pi")), started(box)]).toEqual([false, []])
})

test.each([
  ["claude-code", "gone", (id: string) => `; for a copy in another folder: treelog fork ${id} --to FOLDER`],
  ["claude-code", "gone", () => "--to NEW --apply"],
  ["treelog", "gone", () => "--to NEW --apply"],
  [
    "treelog",
    "",
    (id: string) => `names no folder to go on in. For a copy in another folder: treelog fork ${id} --to FOLDER`,
  ],
])(
  "a folder that is gone: what can be done is of the store that has the session, %s",
  async (store, folder, advice) => {
    const box = sandbox()
    const cwd = folder && join(box.folder, folder)
    if (store === "treelog") box.store([userEntry("aaaa0001", null, "hi")], { id: CLAUDE_ID, cwd })
    else box.write(`.claude/projects/gone/${CLAUDE_ID}.jsonl`, claudeFile(CLAUDE_ID, cwd, "hi"))
    const { code, stderr } = await box.run(["resume", CLAUDE_ID, "--with", "pi"], withAgents(box, 0, "pi"))
    expect([code, stderr]).toEqual([3, expect.stringContaining(advice(CLAUDE_ID))])
  },
)

test("relocate, which a folder that is gone leads to, moves the sessions of each agent that is written for", async () => {
  for (const agent of WRITERS.keys())
    expect([agent, (await ownerRules(agent))?.relocate]).toEqual([agent, expect.anything()])
})

test("of an agent without a command that continues a session, it says so, and prints where that is", async () => {
  const box = sandbox()
  await bigHome(box)
  const { code, stdout, stderr } = await box.run(["resume", "chat-1"], { isTTY: true, isAsked: true })
  expect([code, stdout]).toEqual([0, expect.stringContaining("chat-1.jsonl")])
  expect(stderr).toBe("vscode has no command that continues a session: --with pi continues a copy of it in pi.\n")
})

test("an agent that cannot be started leaves no copy", async () => {
  const box = sandbox()
  claudeSession(box)
  const pi = box.write("bin/pi", "#!/nowhere/interpreter\n")
  chmodSync(pi, 0o755)
  const { code, stderr } = await box.run(["resume", "--last", "--with", "pi"], {
    env: { PATH: join(box.folder, "bin") },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining("`pi` is not installed")])
  expect(piTexts(box)).toEqual([])
})

test("--leaf in a pipe prints one copy each time, until something was said in it", async () => {
  const box = sandbox()
  box.store([userEntry("aaaa0001", null, "first"), userEntry("aaaa0002", "aaaa0001", "second")], { id: "own" })
  const path = await box.print("resume", "own", "--leaf", "aaaa0001")
  expect(await box.print("resume", "own", "--leaf", "aaaa0001")).toBe(path)
  expect((await box.run(["list", "--json"])).json).toHaveLength(2)
  await box.print("append", path, "--role", "user", "--text", "more")
  expect(await box.print("resume", "own", "--leaf", "aaaa0001")).not.toBe(path)
})

test("a folder that is gone, and an agent that fails, are reported", async () => {
  const box = sandbox()
  mkdirSync(join(box.folder, "old"))
  box.store([userEntry("aaaa0001", null, "hi")], { id: "moved", cwd: join(box.folder, "gone") })
  const gone = await box.run(["resume", "moved", "--with", "pi"], withAgents(box, 0, "pi"))
  expect(gone.code).toBe(3)
  expect(gone.stderr).toContain("The folder of the session is gone")
  box.store([userEntry("aaaa0001", null, "hi")], { id: "fails" })
  const failed = await box.run(["resume", "fails", "--with", "pi"], withAgents(box, 7, "pi"))
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain("pi ended with exit code 7.")
})

test("--print, --json and a pipe print the path, and start nothing", async () => {
  const box = sandbox()
  claudeSession(box)
  const world = withAgents(box, 0, "claude")
  const { json } = await box.run(["list", "--json"])
  for (const argv of [["--last"], ["--last", "--print"], ["--last", "--print", "path"]])
    expect((await box.run(["resume", ...argv], world)).stdout).toBe(`${json[0]?.path}\n`)
  expect((await box.run(["resume", "--last", "--print", "id"], world)).stdout).toBe(`${CLAUDE_ID}\n`)
  expect(started(box)).toEqual([])
})

test.each(["droid", "treelog", "nobody"])("--with %s is refused: it takes no sessions of others", async (agent) => {
  const box = sandbox()
  box.store([userEntry("aaaa0001", null, "hi")], { id: "own" })
  expect(await box.run(["resume", "--last", "--with", agent])).toMatchObject({ code: 2 })
})

test("a session that a process has is refused, and --fork or --anyway goes on", async () => {
  const box = sandbox()
  claudeSession(box)
  const world = withAgents(box, 0, "claude")
  const own = { pid: process.pid, sessionId: CLAUDE_ID, status: "idle" }
  box.write(".claude/sessions/1.json", JSON.stringify(own))
  const terminal = { ...world, isTTY: true, isAsked: true }
  const { code, stderr } = await box.run(["resume", CLAUDE_ID], terminal)
  expect(code).toBe(5)
  expect(stderr).toContain(`is in use by process ${process.pid} of claude-code`)
  expect(stderr).toContain(`treelog resume ${CLAUDE_ID} --fork`)
  expect(started(box)).toEqual([])
  expect((await box.run(["resume", CLAUDE_ID, "--fork"], terminal)).code).toBe(0)
  expect(started(box)).toEqual([box.project, "claude", "--resume", CLAUDE_ID, "--fork-session"])
  expect((await box.run(["resume", CLAUDE_ID, "--anyway"], terminal)).code).toBe(0)
  expect(started(box)).toEqual([box.project, "claude", "--resume", CLAUDE_ID])
})

test.skipIf(process.platform !== "linux")(
  "a session that a process in its folder may have is gone on with, and stderr says so",
  async () => {
    const box = sandbox()
    const folder = `.pi/agent/sessions/--${box.project.slice(1).replaceAll("/", "-")}--`
    const header = { type: "session", version: 3, id: "own", timestamp: "2026-03-01T10:00:00.000Z", cwd: box.project }
    const lines = [header, userEntry("aaaa0001", null, "hi")].map((line) => `${JSON.stringify(line)}\n`)
    box.write(`${folder}/2026-03-01T10-00-00-000Z_own.jsonl`, lines.join(""))
    const other = spawn("sleep", ["60"], { argv0: "pi", cwd: box.project, env: { HOME: box.folder }, stdio: "ignore" })
    try {
      const terminal = { ...withAgents(box, 0, "pi"), isTTY: true, isAsked: true }
      const { code, stderr } = await box.run(["resume", "own", "--store", "pi"], terminal)
      expect(stderr).toContain(`Process ${other.pid} of pi works in the folder of this session, and may have it.`)
      expect(code).toBe(0)
      expect(started(box).slice(0, 2)).toEqual([box.project, "pi"])
    } finally {
      other.kill()
    }
  },
)

test("a session whose process has ended is gone on with", async () => {
  const box = sandbox()
  claudeSession(box)
  const world = { ...withAgents(box, 0, "claude"), isTTY: true, isAsked: true }
  box.write(".claude/sessions/1.json", JSON.stringify({ pid: 2 ** 30, sessionId: CLAUDE_ID, status: "busy" }))
  expect((await box.run(["resume", CLAUDE_ID], world)).code).toBe(0)
  expect(started(box)).toEqual([box.project, "claude", "--resume", CLAUDE_ID])
})

test("--fork says of an agent that makes no copies what does", async () => {
  const known = { path: "/home/ada/a.jsonl", id: "one", cwd: "/home/ada/shop", isFork: true }
  expect(agentLine(agentCommand("codex", known))).toBe("cd /home/ada/shop && codex fork one")
  expect(agentLine(agentCommand("pi", known))).toBe("cd /home/ada/shop && pi --fork /home/ada/a.jsonl")
  expect(() => agentCommand("kimi", known)).toThrow("kimi makes no copies: --with continues in one.")
})

test("--fork goes on in a copy that treelog makes, where the agent makes none", async () => {
  const box = sandbox()
  const world = { ...withAgents(box, 0, "gemini", "omp"), isTTY: true, isAsked: true }
  const at = "2026-03-01T10:00:00.000Z"
  const id = "5f0a3c1e-0000-4000-8000-000000000001"
  const lines = [
    { sessionId: id, projectHash: "x", startTime: at, lastUpdated: at, kind: "main" },
    { id: "u1", timestamp: at, type: "user", content: [{ text: "the lamp is green" }] },
    { id: "g1", timestamp: at, type: "gemini", content: "Yes.", model: "gemini-2.5-pro" },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  const gemini = box.write(".gemini/tmp/project/chats/session-2026-03-01T10-00-5f0a3c1e.jsonl", text)
  box.write(".gemini/tmp/project/.project_root", box.project)
  box.write(".gemini/projects.json", JSON.stringify({ projects: { [box.project]: "project" } }))
  const first = await box.run(["resume", id, "--fork"], world)
  expect(first.code, first.stderr).toBe(0)
  const [, program, option, copy = ""] = started(box)
  expect([program, option]).toEqual(["gemini", "--resume"])
  expect(copy).not.toBe(id)
  expect(readFileSync(gemini, "utf8")).toBe(text)
  expect(await box.print("show", copy, "--store", "gemini")).toContain("the lamp is green")

  const header = { type: "session", version: 3, id: "tree", timestamp: at, cwd: box.project }
  const entries = [header, userEntry("aaaa0001", null, "first")].map((line) => `${JSON.stringify(line)}\n`).join("")
  const bucket = `-${box.project.slice(1).replaceAll("/", "-")}`
  const omp = box.write(`.omp/agent/sessions/${bucket}/2026-03-01T00-00-00-000Z_tree.jsonl`, entries)
  const second = await box.run(["resume", "tree", "--fork"], world)
  expect(second.code, second.stderr).toBe(0)
  const path = started(box).at(-1) ?? ""
  expect(path).not.toBe(omp)
  expect(readFileSync(path, "utf8")).toContain("first")
  expect(readFileSync(omp, "utf8")).toBe(entries)
})
