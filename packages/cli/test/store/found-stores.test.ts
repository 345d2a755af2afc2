import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { claudeFile, messageEntry, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

/** Puts a session of pi into the home folder of the sandbox, with the time of its prompt in the file. Returns its path. */
function piSession(box: Sandbox, id: string, said: string): string {
  const header = { type: "session", version: 3, id, timestamp: "2026-03-01T00:00:00.000Z", cwd: box.project }
  const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
  const lines = [header, userEntry(`${id}-1`, null, said)].map((line) => `${JSON.stringify(line)}\n`).join("")
  return box.write(`.pi/agent/sessions/${bucket}/2026-03-01T00-00-00-000Z_${id}.jsonl`, lines)
}

function claudeSession(box: Sandbox, id: string, ...said: string[]): void {
  const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
  box.write(`.claude/projects/${folder}/${id}.jsonl`, claudeFile(id, box.project, ...said))
}

const CLAUDE_ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

/** treelog's own store, that of pi, and the folder of Claude Code, with a session each. */
function threeStores(): Sandbox {
  const box = sandbox()
  box.store([userEntry("own-1", null, "the lamp is blue")], { id: "own" })
  piSession(box, "from-pi", "the lamp is red")
  claudeSession(box, CLAUDE_ID, "the lamp is green")
  return box
}

interface StoreBeside {
  readonly store: string
  readonly beside: number
}

interface StoreSum {
  readonly store: string
  readonly total: number
  readonly sessions: { readonly count: number; readonly bytes: number }
}

describe("without --store", () => {
  test("list shows the sessions of all programs, and whose they are, and says nothing where nothing is left out", async () => {
    const box = threeStores()
    const { stdout, stderr } = await box.run(["list"])
    expect(stderr).toBe("")
    expect(stdout.split("\n")[0]).toMatch(/^ID +AGENT +AGE/)
    for (const [agent, said] of [
      ["treelog", "blue"],
      ["pi", "red"],
      ["claude-code", "green"],
    ])
      expect(stdout).toMatch(new RegExp(`${agent} .*the lamp is ${said}`))
    const { json } = await box.run(["list", "--json"])
    expect(json.map(({ store }) => store).sort()).toEqual(["claude-code", "pi", "treelog"])
  })

  test("the profiles of omp are stores, which --store names", async () => {
    const box = sandbox()
    piSession(box, "in-pi", "the lamp is blue")
    const path = piSession(box, "in-work", "the lamp is amber")
    const work = path.replace("/.pi/agent/", "/.omp/profiles/work/agent/")
    box.write(relative(box.folder, work), readFileSync(path, "utf8"))
    rmSync(path)
    mkdirSync(join(box.folder, ".omp/profiles/empty"), { recursive: true })
    const { json } = await box.run(["list", "--all", "--json"])
    expect(json.map(({ store }) => store).sort()).toEqual(["omp:work", "pi"])
    expect((await box.run(["list", "--all"])).stderr).toBe("")
    expect((await box.run(["search", "amber", "--store", "omp:work", "--all", "--json"])).json).toHaveLength(1)
    expect((await box.run(["show", "in-work", "--store", "omp:work"])).stdout).toContain("the lamp is amber")
  })

  test("search and stats ask the indexes of all", async () => {
    const box = threeStores()
    const found = await box.run(["search", "lamp", "--json"])
    expect(new Set(found.json.map(({ store }) => store))).toEqual(new Set(["claude-code", "pi", "treelog"]))
    const relevant = await box.run(["search", "lamp", "--sort", "relevance", "--json"])
    expect(relevant.json).toHaveLength(found.json.length)
    const { json } = await box.run(["stats", "--by", "model", "--since", "2020", "--json"])
    expect(json[0]?.rows).toMatchObject([{ key: "anthropic/claude-x" }])
  })

  test.each(["show", "context", "export", "tree"])("%s finds a session in the store that has it", async (command) => {
    const box = threeStores()
    expect(await box.print(command, "from-pi")).toContain("red")
    expect(await box.print(command, CLAUDE_ID.slice(0, 8))).toContain("green")
    expect(await box.print(command, "own")).toContain("blue")
  })

  test("stats --disk adds up all of them, and names each", async () => {
    const box = threeStores()
    const { code, json } = await box.run(["stats", "--disk", "--json"])
    expect(code).toBe(0)
    const [{ total, sessions, stores, projects }] = json as [
      { total: number; sessions: object; stores: StoreSum[]; projects: object[] },
    ]
    expect(stores.map(({ store }) => store).sort()).toEqual(["claude-code", "pi", "treelog"])
    expect(stores.map(({ sessions }) => sessions.count)).toEqual([1, 1, 1])
    expect(stores.every((one) => one.total >= one.sessions.bytes && one.sessions.bytes > 0)).toBe(true)
    expect(total).toBe(stores.reduce((sum, one) => sum + one.total, 0))
    expect(sessions).toMatchObject({ count: 3 })
    expect(projects).toEqual([expect.objectContaining({ cwd: box.project, sessions: 3 })])
    expect(await box.print("stats", "--disk")).toMatch(/^ *SIZE +SESSIONS +AGENT\n/)
  })

  test("stats --disk counts what an agent keeps beside its sessions", async () => {
    const box = sandbox()
    claudeSession(box, CLAUDE_ID, "the lamp is green")
    const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
    box.write(`.claude/projects/${folder}/${CLAUDE_ID}/tool-results/long.txt`, "x".repeat(4096))
    const { json } = await box.run(["stats", "--disk", "--json"])
    expect(json).toEqual([expect.objectContaining({ beside: 4096 })])
  })

  test("stats --disk counts for each store of an agent what is in it, archives too", async () => {
    const box = sandbox()
    claudeSession(box, CLAUDE_ID, "the lamp is green")
    box.write(".claude-work/projects/shop/notes.txt", "x".repeat(4096))
    box.write(".codex/sessions/notes.txt", "x".repeat(1000))
    box.write(".codex/archived_sessions/notes.txt", "x".repeat(100))
    const [{ stores = [] } = {}] = (await box.run(["stats", "--disk", "--json"])).json as { stores?: StoreBeside[] }[]
    const beside = Object.fromEntries(stores.map(({ store, beside }) => [store, beside]))
    expect(beside).toEqual({ "claude-code": 0, "claude-code:work": 4096, codex: 1100 })
  })

  test("@last and @-2 count the sessions of all", async () => {
    const box = sandbox()
    const at = (timestamp: number, said: string) => [messageEntry("e1", null, userMessage(said, { timestamp }))]
    box.store(at(Date.UTC(2026, 0, 1), "the oldest"), { id: "own" })
    const header = {
      type: "session",
      version: 3,
      id: "from-pi",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: box.project,
    }
    const lines = [header, ...at(Date.UTC(2026, 0, 2), "the newest")].map((line) => `${JSON.stringify(line)}\n`)
    const bucket = `--${box.project.slice(1).replaceAll("/", "-")}--`
    box.write(`.pi/agent/sessions/${bucket}/2026-01-01T00-00-00-000Z_from-pi.jsonl`, lines.join(""))
    expect(await box.print("show")).toContain("the newest")
    expect(await box.print("show", "@-2")).toContain("the oldest")
    expect(await box.run(["show", "@-3"])).toMatchObject({ code: 3 })
  })

  test("copies of a session are one: it is listed once, its id means the newest, and both say where the others are", async () => {
    const box = threeStores()
    const later = [messageEntry("later", null, userMessage("the lamp went out", { timestamp: Date.UTC(2030, 0, 1) }))]
    piSession(box, CLAUDE_ID, "the lamp is green")
    box.store(later, { id: CLAUDE_ID })
    const { stdout, stderr } = await box.run(["show", CLAUDE_ID.slice(0, 8)])
    expect(stdout).toContain("the lamp went out")
    expect(stderr).toContain("This is the copy in treelog, the newest that is whole; there is another one in")
    const { json } = await box.run(["list", "--json"])
    const listed = json.filter(({ id }) => id === CLAUDE_ID)
    expect(listed).toMatchObject([{ store: "treelog" }])
    expect(((listed[0]?.copies ?? []) as { store: string }[]).map(({ store }) => store).sort()).toEqual([
      "claude-code",
      "pi",
    ])
    expect(await box.print("list")).toMatch(/treelog \((pi, claude-code|claude-code, pi)\)/)
    expect(await box.print("show", CLAUDE_ID, "--store", "pi")).toContain("the lamp is green")
  })

  test("a session of no store is looked for in all", async () => {
    const box = threeStores()
    const { code, stderr } = await box.run(["show", "nobody"])
    expect(code).toBe(3)
    expect(stderr).toContain('There is no session "nobody" in the stores of treelog, pi and claude-code')
    const tenth = await box.run(["show", "@-10", "--all"])
    expect(tenth.stderr).toBe("treelog: There are only 3 sessions in the stores of treelog, pi and claude-code.\n")
  })

  test("a path means the store that it lies in", async () => {
    const box = threeStores()
    const path = piSession(box, "by-path", "the lamp is off")
    expect(await box.print("show", path)).toContain("off")
  })

  test("a path means its file, whichever program wrote it, outside of every store", async () => {
    const box = sandbox()
    claudeSession(box, CLAUDE_ID, "the lamp is green")
    const pi = box.write("pi-session.jsonl", readFileSync(piSession(box, "elsewhere", "the lamp is red"), "utf8"))
    rmSync(join(box.folder, ".pi"), { recursive: true })
    const claude = box.write("project/claude.jsonl", claudeFile("copy", box.project, "the lamp is white"))
    for (const store of [[], ["--store", "claude-code"], ["--store", "treelog"]]) {
      expect(await box.print("show", pi, ...store)).toContain("the lamp is red")
      expect(await box.print("show", claude, ...store)).toContain("the lamp is white")
    }
  })

  test("what cannot be changed says so, and what can be done", async () => {
    const box = threeStores()
    const { code, stderr } = await box.run(["name", CLAUDE_ID, "Lamps"])
    expect(code).toBe(1)
    expect(stderr).toContain("are only read")
    expect(stderr).toContain("treelog import --from claude-code")
    const deleted = await box.run(["delete", CLAUDE_ID])
    expect(deleted.code).toBe(1)
    expect(deleted.stderr).toContain("treelog resume ID")
  })

  test("commands for every session work on those of all stores, and name those that stay as they are", async () => {
    const box = threeStores()
    expect((await box.run(["verify", "--all"])).stderr).toContain("3 sessions, ")
    expect((await box.run(["scan", "--all"])).stderr).toContain("3 sessions: ")
    const pruned = await box.run(["delete", "--all", "--until", "2030", "--older-than", "0", "--apply"])
    expect(pruned.stderr).toContain("The sessions of claude-code are only read: nothing there is changed.")
    expect(pruned.stdout).toContain("from-pi")
    expect((await box.run(["trash", "ls", "--json"])).json.map(({ id }) => id).sort()).toEqual(["from-pi", "own"])
    expect((await box.run(["trash", "restore", "--last"])).stderr).toBe("2 sessions restored.\n")
    expect((await box.run(["bundle", "--all", "-o", "all.tar.gz", "--json"])).json).toHaveLength(3)
  })

  test("a store alone is not named beside others, and its sessions have no column for it", async () => {
    const own = sandbox()
    own.store([userEntry("own-1", null, "blue")], { id: "own" })
    expect(await own.run(["list"])).toMatchObject({ stderr: "" })
    const other = sandbox()
    piSession(other, "from-pi", "red")
    const { stdout, stderr } = await other.run(["list"])
    expect(stderr).toBe("")
    expect(stdout).not.toContain("AGENT")
  })

  test("without any store, there is no session", async () => {
    const box = sandbox()
    expect(await box.run(["list"])).toMatchObject({ code: 6, stdout: "" })
    for (const argv of [
      ["verify", "--all"],
      ["scan", "--all"],
      ["delete", "--all", "--empty"],
      ["bundle", "--all", "-o", "x"],
    ]) {
      const { code, stderr } = await box.run(argv)
      expect(code).toBe(6)
      expect(stderr).toContain(`0 sessions examined: looked in ${box.agentDir}`)
    }
    expect(await box.run(["show"])).toMatchObject({ code: 3 })
    expect(await box.run(["resume", "--last"])).toMatchObject({ code: 3 })
  })

  test("half deleted stores end nothing", async () => {
    const box = threeStores()
    box.write(".xcsh/agent", "a file, not a folder")
    box.write(".codex/sessions/2026/rollout-broken.jsonl", "no rollout")
    box.write(".claude/projects/-gone/empty.jsonl", "")
    const { code, stdout } = await box.run(["list", "--all"])
    expect(code).toBe(0)
    expect(stdout).toContain("the lamp is green")
    expect((await box.run(["search", "lamp", "--all", "--json"])).json.length).toBeGreaterThan(2)
  })

  test.skipIf(process.getuid?.() === 0)(
    "a store that may not be looked at is reported, and ends nothing (not as root, who may)",
    async () => {
      const box = threeStores()
      box.write(".omp/agent/sessions/x", "")
      chmodSync(`${box.folder}/.omp`, 0)
      try {
        const { code, stdout, stderr } = await box.run(["list"])
        expect(code).toBe(0)
        expect(stdout).toContain("the lamp is red")
        expect(stderr).toContain("The store of omp cannot be read")
      } finally {
        chmodSync(`${box.folder}/.omp`, 0o700)
      }
    },
  )
})

describe("treelog config", () => {
  test("names the store that new sessions go to, and hides no other", async () => {
    const box = threeStores()
    expect(await box.run(["config", "set", "store", "pi"])).toMatchObject({ code: 0, stdout: "" })
    expect(await box.print("config", "get")).toBe("store pi")
    expect(await box.print("config", "get", "store")).toBe("pi")
    await box.print("new", "--id", "made")
    expect((await box.run(["list", "--store", "pi", "--json"])).json.map(({ id }) => id).sort()).toEqual([
      "from-pi",
      "made",
    ])
    expect((await box.run(["list", "--json"])).json).toHaveLength(4)
    expect((await box.run(["list", "--store", "treelog", "--json"])).json.map(({ id }) => id)).toEqual(["own"])
    const env = { TREELOG_STORE: "claude-code" }
    expect((await box.run(["list", "--json"], { env })).json.map(({ id }) => id)).toEqual([CLAUDE_ID])
    for (const every of [["--store", "all"], ["--all-stores"]])
      expect((await box.run(["list", ...every, "--json"], { env })).json).toHaveLength(4)
    expect((await box.run(["list", "--json"], { env: { TREELOG_STORE: "all" } })).json).toHaveLength(4)
    expect((await box.run(["show", "own", "--store", "all", "--json"], { env })).json[0]).toMatchObject({
      sessionId: "own",
    })
    await box.print("config", "unset", "store")
    expect(await box.print("config", "get")).toBe("")
  })

  test("an empty list of one store says that there may be sessions of others", async () => {
    const box = threeStores()
    const { code, stderr } = await box.run(["list", "--store", "omp"])
    expect(code).toBe(6)
    expect(stderr).toContain("without --store, those of all agents are listed")
  })

  test("a folder is meant from wherever a command runs", async () => {
    const box = threeStores()
    const store = dirname(dirname(box.write("mine/sessions/.keep", "")))
    await box.run(["config", "set", "store", relative(box.project, store)])
    expect(await box.print("config", "get", "store")).toBe(store)
  })

  test("rejects what is no setting and no store, and reports a file that it cannot use", async () => {
    const box = sandbox()
    expect(await box.run(["config", "set", "colour", "red"])).toMatchObject({ code: 2 })
    expect(await box.run(["config", "set", "store", "ftp://host"])).toMatchObject({ code: 2 })
    const typed = await box.run(["config", "set", "store", "pj"])
    expect(typed).toMatchObject({ code: 2 })
    expect(typed.stderr).toContain("pj is not a store")
    expect(await box.print("config", "get")).toBe("")
    const path = box.write(".treelog/config.json", "{")
    const { code, stderr } = await box.run(["list"])
    expect(code).toBe(2)
    expect(stderr).toContain(`The settings in ${path} cannot be used: it is no JSON`)
    writeFileSync(path, '{"shop":1}')
    expect((await box.run(["list"])).stderr).toContain('it has "shop", which is not a setting')
  })
})
