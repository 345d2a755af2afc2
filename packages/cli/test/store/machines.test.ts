import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession } from "../agent-samples.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const SAID = { role: "user", content: "the lamp is on", timestamp: 1 }
const PROGRAMS = ["pi", "omp", "xcsh"] as const
const COMMANDS = [
  ["list"],
  ["resume", "--last", "--print", "id"],
  ["search", "lamp"],
  ["stats", "--by", "day"],
] as const

/** A session in the store of a program, in its folder of the home folder. */
async function sessionOf(box: Sandbox, program: string): Promise<void> {
  await box.print("new", "--store", program, "--id", `of-${program}`)
  await box.print("append", `of-${program}`, JSON.stringify(SAID), "--store", program)
}

async function fiveAgents(): Promise<Sandbox> {
  const box = sandbox()
  for (const program of PROGRAMS) await sessionOf(box, program)
  for (const sample of AGENT_SAMPLES) agentSession(box, sample, sample.id, "the lamp is on")
  return box
}

/** What each command prints, with its exit code. Ids are those of the sandbox's clock, which stands still. */
async function answers(box: Sandbox): Promise<Record<string, { code: number; stdout: string; stderr: string }>> {
  const all: Record<string, { code: number; stdout: string; stderr: string }> = {}
  for (const argv of COMMANDS) {
    const { code, stdout, stderr } = await box.run(argv)
    all[argv[0]] = { code, stdout, stderr: stderr.replaceAll(box.folder, "~") }
  }
  return all
}

describe("a machine with no agent", () => {
  test("has no sessions, and every command says so", async () => {
    const box = sandbox()
    const { list, resume, search, stats } = await answers(box)
    expect(list).toEqual({
      code: 6,
      stdout: "",
      stderr:
        "There is no session of ~/project in ~/agent; --all looks in every folder; no other agent has a store on this machine.\n",
    })
    expect(resume).toMatchObject({
      code: 3,
      stdout: "",
      stderr: "treelog: There is no session of ~/project in ~/agent.\n",
    })
    // @last names it, too.
    const shown = await box.run(["show"])
    expect(shown).toMatchObject({ code: 3, stdout: "" })
    expect(shown.stderr).toContain(`There is no session of ${box.project} in ${box.agentDir}.\n  --all`)
    expect(search).toMatchObject({ code: 6, stdout: "" })
    expect(search?.stderr).toContain("0 sessions examined: looked in ~/agent")
    expect(stats).toEqual({
      code: 6,
      stdout: "",
      stderr: "0 sessions examined: looked in ~/agent; no other agent has a store on this machine.\n",
    })
  })
})

describe("a machine with one agent", () => {
  test("shows the sessions of that agent, and says nothing more", async () => {
    const box = sandbox()
    await sessionOf(box, "pi")
    const { list, resume, search, stats } = await answers(box)
    for (const answer of [list, resume, search]) expect(answer?.stderr).toBe("")
    expect(list?.stdout).toMatch(/of-pi .*the lamp is on/)
    expect(list?.stdout).not.toContain("AGENT")
    expect(resume).toMatchObject({ code: 0, stdout: "of-pi\n" })
    expect(search?.stdout).toContain("the lamp is on")
    expect(stats?.code).toBe(0)
  })
})

test.each([
  ["name", "of-pi", "another"],
  ["append", "of-pi", JSON.stringify(SAID)],
  ["branch", "of-pi", "root"],
  ["fork", "of-pi"],
  ["blobs", "slim", "of-pi"],
  ["repair", "of-pi"],
  ["repair", "--migrate", "of-pi"],
  ["delete", "of-pi"],
  ["bundle", "of-pi", "-o", "sessions.tar"],
])("%s works on a session where it is, in the store of another program, from any folder", async (...argv) => {
  const box = sandbox()
  await sessionOf(box, "pi")
  const { code } = await box.run(["--cwd", box.folder, ...argv])
  expect(code).toBe(0)
  expect(existsSync(box.agentDir)).toBe(false)
})

describe("a machine with five agents", () => {
  const AGENTS = [...PROGRAMS, ...AGENT_SAMPLES.map(({ agent }) => agent)]

  test("shows the sessions of all, and whose they are", async () => {
    const { list, resume, search, stats } = await answers(await fiveAgents())
    for (const agent of AGENTS) {
      expect(list?.stdout).toMatch(new RegExp(` ${agent} .*the lamp is on`))
      expect(search?.stdout).toMatch(new RegExp(`  ${agent}$`, "m"))
    }
    expect([list, resume, search, stats].map((answer) => answer?.code)).toEqual([0, 0, 0, 0])
    expect(resume?.stdout.trim().split("\n")).toHaveLength(1)
  })

  test("of which some are half deleted, shows the others", async () => {
    const box = await fiveAgents()
    rmSync(join(box.folder, ".omp/agent/sessions"), { recursive: true })
    rmSync(join(box.folder, ".xcsh/agent"), { recursive: true })
    box.write(".xcsh/agent", "a file where a folder was")
    for (const { agent } of AGENT_SAMPLES) {
      const folder = agent === "codex" ? ".codex/sessions" : ".claude/projects"
      rmSync(join(box.folder, folder), { recursive: true })
      mkdirSync(join(box.folder, folder))
    }
    const { list, resume, search, stats } = await answers(box)
    expect([list, resume, search, stats].map((answer) => answer?.code)).toEqual([0, 0, 0, 0])
    expect(list?.stdout.match(/the lamp is on/g)).toHaveLength(1)
    expect(resume?.stdout).toBe("of-pi\n")
    expect(search?.stdout.match(/the lamp is on/g)?.length).toBeGreaterThan(0)
    expect(search?.stdout).not.toMatch(/omp|xcsh|claude-code|codex/)
    expect(list?.stderr).not.toContain("omp")
  })

  test("of which one has a damaged session, shows that it has", async () => {
    const box = await fiveAgents()
    const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
    box.write(
      `.pi/agent/sessions/${bucket}/2026-01-01T00-00-00-000Z_broken.jsonl`,
      '{"type":"message","id":"a","parentId":null}\n',
    )
    const { list, resume, search, stats } = await answers(box)
    expect(list?.code).toBe(0)
    expect(list?.stdout).toContain("! broken")
    expect(resume?.code).toBe(0)
    expect(resume?.stderr).toContain("1 session cannot be read; `treelog list` shows why.")
    expect(search?.code).toBe(0)
    expect(search?.stderr).toContain("cannot be read; `treelog verify --all` shows why.")
    expect(stats?.code).toBe(1)
    expect(stats?.stderr).toContain("Not counted: 1 session that cannot be read.")
  })

  test("of which one cannot be listed, names it in every command over all sessions, and works on the others", async () => {
    const box = await fiveAgents()
    mkdirSync(join(box.folder, ".codex/session_index.jsonl"))
    const { list, resume, search, stats } = await answers(box)
    const verify = await box.run(["verify", "--all"])
    const scan = await box.run(["scan", "--all"])
    for (const answer of [list, resume, search, stats, verify, scan])
      expect(`${answer?.stderr}${answer?.stdout}`).toMatch(/codex.*not a plain file/)
    expect(list?.stdout).toMatch(/ pi .*the lamp is on/)
    const count = ({ stderr = "" } = {}) => Number(/(\d+) sessions/.exec(stderr)?.[1])
    expect(count(verify)).toBeGreaterThan(3)
    expect(verify.code).toBe(1)
    expect((await box.run(["files", "nowhere.ts", "--all"])).stderr).toContain("No session read or changed")
  })

  // Root may read every folder.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "of which one may not be read, names it, and shows the others (not as root, who may)",
    async () => {
      const box = await fiveAgents()
      const folder = join(box.folder, ".omp")
      chmodSync(folder, 0)
      try {
        const { list, resume, search, stats } = await answers(box)
        for (const answer of [list, resume, search, stats]) {
          expect(answer?.code).toBe(0)
          expect(answer?.stderr).toContain("The store of omp cannot be read")
        }
        expect(list?.stdout).toMatch(/ pi .*the lamp is on/)
        expect(list?.stdout).not.toMatch(/ omp .*the lamp is on/)
      } finally {
        chmodSync(folder, 0o700)
      }
    },
  )
})
