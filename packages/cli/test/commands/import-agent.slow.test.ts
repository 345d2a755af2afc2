import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { loadDriver } from "@treelog/index-sqlite"
import { claudeFile } from "@treelog-internal/test-kit"
import { codexFile, codexTurns, zstdFrame } from "@treelog-internal/test-kit/codex"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, type AgentSample, agentSession, sayMore, sayOther } from "../agent-samples.js"
import { type Sandbox, sandbox } from "../sandbox.js"

async function importedBy(box: Sandbox, ...args: string[]): Promise<Record<string, unknown>> {
  const { json, stderr } = await box.run(["import", "--from", ...args, "--json"])
  expect(json, stderr).toHaveLength(1)
  return json[0] ?? {}
}

/** The source that is stored with a session. */
const sourceOf = (path: unknown): Buffer =>
  gunzipSync(readFileSync(join(String(path).replace(/\.jsonl$/, ""), "source.jsonl.gz")))

describe.each(AGENT_SAMPLES)("an import from $agent", (sample) => {
  const { agent, id, otherId, folder, pathOf, fileOf } = sample
  const imported = (box: Sandbox, ...args: string[]) => importedBy(box, agent, ...args)
  const texts = (box: Sandbox): Promise<string> => box.print("show", id, "--store", "treelog")

  test("stores the session with its source", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, id, "hello", "bye")
    const before = readFileSync(source)
    const { status, path, lines, artifacts } = await imported(box, id)
    expect({ status, artifacts }).toEqual({ status: "created", artifacts: 1 })
    expect(lines).toBe(before.toString().split("\n").length - 1)
    expect(sourceOf(path)).toEqual(before)
    expect(readFileSync(source)).toEqual(before)
    expect(await texts(box)).toContain("Reply to bye")
    expect((await box.run(["verify", id, "--store", "treelog"])).code).toBe(0)
  })

  test("that was killed between the session and its source stores the source of now the next time", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, id, "hello")
    const kept = join(String((await imported(box, id)).path).replace(/\.jsonl$/, ""), "source.jsonl.gz")
    const old = readFileSync(kept)
    sayOther(box, sample, source, "hello", "more")
    await imported(box, id)
    writeFileSync(kept, old)
    expect(await imported(box, id)).toMatchObject({ status: "unchanged", artifacts: 1 })
    expect(gunzipSync(readFileSync(kept))).toEqual(readFileSync(source))
    expect(await imported(box, id)).toMatchObject({ status: "unchanged", artifacts: 0 })
  })

  test("repeated, adds nothing, and what is new once the source has grown", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, id, "hello")
    const { path } = await imported(box, id)
    const bytes = readFileSync(String(path))
    expect(await imported(box, id)).toMatchObject({ status: "unchanged", added: 0 })
    expect(readFileSync(String(path))).toEqual(bytes)
    sayMore(box, sample, source, "one more")
    expect(await imported(box, id)).toMatchObject({ status: "appended", rewritten: 0, path })
    expect(readFileSync(String(path)).subarray(0, bytes.length)).toEqual(bytes)
    expect(await texts(box)).toContain("Reply to one more")
    expect(sourceOf(path)).toEqual(readFileSync(source))
    expect(await imported(box, id)).toMatchObject({ status: "unchanged" })
  })

  test("leaves a session that was continued here where it is, and adds a branch", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, id, "hello")
    await imported(box, id)
    await box.print(
      "append",
      id,
      "--store",
      "treelog",
      JSON.stringify({ role: "user", content: "continued here", timestamp: 1 }),
    )
    sayMore(box, sample, source, "one more")
    expect(await imported(box, id)).toMatchObject({ status: "branched", rewritten: 0 })
    const shown = await texts(box)
    expect(shown).toContain("continued here")
    expect(shown).not.toContain("one more")
    expect(await box.print("tree", id, "--store", "treelog")).toContain("one more")
    expect(await imported(box, id)).toMatchObject({ status: "unchanged" })
    expect(await texts(box)).toContain("continued here")
    expect((await box.run(["verify", id, "--store", "treelog"])).code).toBe(0)
  })

  test("takes all, or those of a folder, and names a file that is no session, which is no failure", async () => {
    const box = sandbox()
    agentSession(box, sample, id, "hello")
    box.write(join(folder, pathOf(otherId, "/home/ada/shop")), fileOf(otherId, "/home/ada/shop", "hi"))
    const foreign = pathOf(id.replace(/^....../, "000000"), "/home/ada/shop")
    box.write(join(folder, foreign), "no line of an agent\n")
    const ofFolder = (await box.run(["import", "--from", agent, "--project", ".", "--json"])).json
    expect(ofFolder.filter(({ status }) => status !== undefined)).toMatchObject([{ status: "created", sessionId: id }])
    const { json, code } = await box.run(["import", "--from", agent, "--all", "--json"])
    expect(json.find(({ error }) => error)).toMatchObject({
      path: expect.stringContaining(basename(foreign)),
      isSession: false,
    })
    expect(json.map(({ status }) => status ?? "none").sort()).toEqual(["created", "none", "unchanged"])
    expect(code).toBe(0)
  })

  test("changes nothing with --dry-run", async () => {
    const box = sandbox()
    agentSession(box, sample, id, "hello")
    const before = box.snapshot()
    expect(await imported(box, id, "--dry-run")).toMatchObject({
      status: "created",
      dryRun: true,
      kinds: expect.anything(),
    })
    expect(box.snapshot()).toEqual(before)
  })

  test("goes to another store with --to", async () => {
    const box = sandbox()
    agentSession(box, sample, id, "hello")
    const { path } = await imported(box, id, "--to", "pi")
    expect(String(path).startsWith(join(box.folder, ".pi"))).toBe(true)
    expect(readdirSync(dirname(String(path)))).toHaveLength(2)
    expect((await box.run(["import", id, "--from", agent, "--to", agent])).stderr).toContain("only read")
  })

  test("is what `import` does with a file of it", async () => {
    const box = sandbox()
    const path = box.write(join("project", basename(pathOf(id, ""))), fileOf(id, "/home/ada/shop", "hello"))
    const { json, stderr } = await box.run(["import", path, "--json"])
    expect(json, stderr).toMatchObject([{ sessionId: id, status: "created" }])
    expect(await box.print("list", "--all", "--json")).toContain("/home/ada/shop")
  })
})

describe("an import from Claude Code", () => {
  const [sample] = AGENT_SAMPLES as [AgentSample]
  const { id: ID } = sample
  const imported = (box: Sandbox, ...args: string[]) => importedBy(box, "claude-code", ...args)
  const texts = (box: Sandbox): Promise<string> => box.print("show", ID, "--store", "treelog")

  test("that was interrupted among its artifacts stores all of them the next time", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, ID, "hello")
    const agentFile = join(source.replace(/\.jsonl$/, ""), "subagents", "agent-1.jsonl")
    mkdirSync(dirname(agentFile), { recursive: true })
    writeFileSync(agentFile, claudeFile(ID, box.project, "help"))
    const folder = String((await imported(box, ID)).path).replace(/\.jsonl$/, "")
    const names = (): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    const whole = names()
    expect(whole).toContain(join("subagents", "agent-1.jsonl"))
    // The source comes last.
    rmSync(join(folder, "source.jsonl.gz"))
    rmSync(join(folder, "subagents"), { recursive: true })
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", artifacts: 2, artifactsLeft: [] })
    expect(names()).toEqual(whole)
  })

  test("stores the transcript of a sub-agent that came since, also where the session has not grown", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, ID, "hello")
    const folder = String((await imported(box, ID)).path).replace(/\.jsonl$/, "")
    const agentFile = join(source.replace(/\.jsonl$/, ""), "subagents", "agent-1.jsonl")
    mkdirSync(dirname(agentFile), { recursive: true })
    writeFileSync(agentFile, claudeFile(ID, box.project, "help"))
    expect(await imported(box, ID)).toMatchObject({ artifacts: 1, artifactsLeft: [] })
    expect(readFileSync(join(folder, "subagents", "agent-1.jsonl"), "utf8")).toContain("Reply to help")
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", artifacts: 0 })
  })

  test("stores what was rewritten as a branch, and loses nothing", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, ID, "hello", "second")
    await imported(box, ID)
    writeFileSync(source, readFileSync(source, "utf8").replace("Reply to hello", "Another reply"))
    const again = await imported(box, ID)
    expect(again).toMatchObject({ status: "branched" })
    expect(again.rewritten).toBeGreaterThan(0)
    expect(await texts(box)).toContain("Another reply")
    expect(await box.print("tree", ID, "--store", "treelog")).toContain("Reply to hello")
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged" })
    expect((await box.run(["verify", ID, "--store", "treelog"])).code).toBe(0)
  })

  test("stores a compaction whose summary was rewritten once more, which keeps nothing either", async () => {
    const box = sandbox()
    const source = agentSession(box, sample, ID, "hello")
    const [last] = readFileSync(source, "utf8").trimEnd().split("\n").slice(-1)
    const { uuid, ...fields } = JSON.parse(last ?? "")
    const line = (own: object) => `${JSON.stringify({ ...fields, message: undefined, ...own })}\n`
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "boundary", parentUuid: null }
    const summary = { type: "user", uuid: "summary", parentUuid: "boundary", isCompactSummary: true }
    appendFileSync(source, line({ ...boundary, logicalParentUuid: uuid, compactMetadata: { trigger: "auto" } }))
    appendFileSync(source, line({ ...summary, message: { role: "user", content: "What was said." } }))
    await imported(box, ID)
    writeFileSync(source, readFileSync(source, "utf8").replace("What was said.", "What was meant."))
    expect(await imported(box, ID)).toMatchObject({ status: "branched", rewritten: 1 })
    expect((await box.run(["verify", ID, "--store", "treelog"])).code).toBe(0)
  })
})

describe("an import from Codex", () => {
  const ID = "01a203bc-2fbc-7a02-81fd-38d282610988"
  const [REVISION, FORK] = ["01a203bc-5ebf-7923-81fd-38d282610988", "01a203bc-6043-7093-81fd-38d282610988"]
  const day = ".codex/sessions/2026/11/22"
  const first = join(day, `rollout-2026-11-22T14-49-54-${ID}.jsonl`)
  const imported = (box: Sandbox, ...args: string[]) => importedBy(box, "codex", ...args)

  /** A file that goes on from the first turn of the sample. */
  function goOn(box: Sandbox, name: string, id: string, said: string, fields: object = {}): string {
    const end = Buffer.byteLength(codexFile(ID, box.project, ["hello"]))
    const base = { history_base: { thread_id: ID, end_byte_offset: end } }
    return box.write(join(day, name), codexFile(id, box.project, [said], { ...base, ...fields }))
  }

  test("adds a revert as a branch, on which the session goes on", async () => {
    const box = sandbox()
    box.write(first, codexFile(ID, box.project, ["hello", "given up"]))
    const { path } = await imported(box, ID)
    const before = readFileSync(String(path))
    goOn(box, `rollout-2026-11-22T15-00-00-${ID}_${REVISION}.jsonl`, ID, "another way")
    expect(await imported(box, ID)).toMatchObject({ status: "appended", rewritten: 0, path, artifacts: 2 })
    expect(readFileSync(String(path)).subarray(0, before.length)).toEqual(before)
    const shown = await box.print("show", ID, "--store", "treelog")
    expect(shown).toContain("Reply to another way")
    expect(shown).not.toContain("given up")
    expect(await box.print("tree", ID, "--store", "treelog")).toContain("given up")
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", artifacts: 0 })
    expect((await box.run(["verify", ID, "--store", "treelog"])).code).toBe(0)
  })

  test("has a fork with what it goes on from, and its usage alone", async () => {
    const box = sandbox()
    box.write(first, codexFile(ID, box.project, ["hello", "not in the fork"]))
    goOn(box, `rollout-2026-11-22T15-00-00-${FORK}.jsonl`, FORK, "forked", { forked_from_id: ID })
    await box.run(["import", "--from", "codex", "--all"])
    const shown = await box.print("show", FORK, "--store", "treelog")
    expect(shown).toContain("Reply to hello")
    expect(shown).not.toContain("not in the fork")
    const [stats] = (await box.run(["stats", "--by", "session", "--store", "treelog", "--json"])).json
    expect(stats?.total).toMatchObject({ calls: 3, input: 30 })
  })

  test("adds nothing once Codex has compressed and archived the files", async () => {
    const box = sandbox()
    const text = codexFile(ID, box.project, ["hello"])
    const path = box.write(first, text)
    await imported(box, ID)
    rmSync(path)
    mkdirSync(join(box.folder, ".codex/archived_sessions"), { recursive: true })
    writeFileSync(join(box.folder, ".codex/archived_sessions", `${basename(first)}.zst`), zstdFrame(Buffer.from(text)))
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", added: 0 })
  })

  test("keeps the transcripts of sub-agents beside the session, and never as sessions", async () => {
    const box = sandbox()
    box.write(first, codexFile(ID, box.project, ["hello"]))
    const source = { subagent: { thread_spawn: { parent_thread_id: ID, depth: 1 } } }
    const child = codexFile(FORK, box.project, ["help"], { parent_thread_id: ID, source })
    box.write(join(day, `rollout-2026-11-22T15-00-00-${FORK}.jsonl`), child)
    expect((await box.run(["list", "--all", "--store", "codex", "--json"])).json).toMatchObject([{ id: ID }])
    const { json } = await box.run(["import", "--from", "codex", "--all", "--json"])
    expect(json).toMatchObject([{ sessionId: ID, artifacts: 2 }])
    const kept = join(String(json[0]?.path).replace(/\.jsonl$/, ""), `${FORK}.jsonl`)
    expect(readFileSync(kept, "utf8")).toContain("Reply to help")
  })

  test("takes the name that only Codex's database has", async () => {
    const box = sandbox()
    box.write(first, codexFile(ID, box.project, ["hello"]))
    const driver = await loadDriver()
    const db = driver.open(join(box.folder, ".codex/state_5.sqlite"))
    db.exec("CREATE TABLE threads (id TEXT, title TEXT, first_user_message TEXT, updated_at INTEGER)")
    db.prepare("INSERT INTO threads VALUES (?, 'Cents', 'hello', 1)").run(ID)
    db.close()
    await imported(box, ID)
    for (const store of ["codex", "treelog"])
      expect((await box.run(["list", "--store", store, "--json"])).json).toMatchObject([{ id: ID, name: "Cents" }])
  })

  test("takes a file under any name, with what it goes on from in Codex's folder", async () => {
    const box = sandbox()
    box.write(first, codexFile(ID, box.project, ["hello"]))
    goOn(box, "fork.jsonl", FORK, "forked", { forked_from_id: ID })
    renameSync(join(box.folder, day, "fork.jsonl"), join(box.project, "fork.jsonl"))
    const { json, stderr } = await box.run(["import", "fork.jsonl", "--json"])
    expect(json, stderr).toMatchObject([{ sessionId: FORK, status: "created", diagnostics: [] }])
    expect(await box.print("show", FORK, "--store", "treelog")).toContain("Reply to hello")
    expect((await box.run(["list", "--store", "codex", "--all", "--json"])).json).toMatchObject([{ id: ID }])
  })

  test("goes on when more is said after a turn that is not complete", async () => {
    const box = sandbox()
    const [user = "", ...rest] = codexTurns("second").split("\n")
    const path = box.write(first, `${codexFile(ID, box.project, ["hello"])}${user}\n`)
    await imported(box, ID)
    appendFileSync(path, rest.join("\n"))
    expect(await imported(box, ID)).toMatchObject({ status: "appended", rewritten: 0 })
    expect(await box.print("show", ID, "--store", "treelog")).toContain("Reply to second")
  })
})
