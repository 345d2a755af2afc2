import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const FROM = ["import", "--from", "claude-code"]

function claudeSession(box: Sandbox, id = ID, ...said: string[]): string {
  return box.write(
    `.claude/projects/${box.project.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`,
    claudeFile(id, box.project, ...said),
  )
}

async function imported(box: Sandbox, ...args: string[]): Promise<Record<string, unknown>> {
  const { json, stderr } = await box.run([...FROM, ...args, "--json"])
  expect(json, stderr).toHaveLength(1)
  return json[0] ?? {}
}

async function texts(box: Sandbox): Promise<string> {
  return box.print("show", ID)
}

describe("an import from Claude Code", () => {
  test("stores the session with its source", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello", "bye")
    const before = readFileSync(source)
    const { status, path, lines, artifacts } = await imported(box, ID)
    expect({ status, lines, artifacts }).toEqual({ status: "created", lines: 4, artifacts: 1 })
    const folder = String(path).replace(/\.jsonl$/, "")
    expect(gunzipSync(readFileSync(join(folder, "source.jsonl.gz")))).toEqual(before)
    expect(readFileSync(source)).toEqual(before)
    expect(await texts(box)).toContain("Reply to bye")
    expect((await box.run(["verify", ID])).code).toBe(0)
  })

  test("that was killed between the session and its source stores the source of now the next time", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello")
    const kept = join(String((await imported(box, ID)).path).replace(/\.jsonl$/, ""), "source.jsonl.gz")
    const old = readFileSync(kept)
    writeFileSync(source, claudeFile(ID, box.project, "hello", "more"))
    await imported(box, ID)
    writeFileSync(kept, old)
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", artifacts: 1 })
    expect(gunzipSync(readFileSync(kept))).toEqual(readFileSync(source))
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", artifacts: 0 })
  })

  test("that was interrupted among its artifacts stores all of them the next time", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello")
    const agentFile = join(source.replace(/\.jsonl$/, ""), "subagents", "agent-1.jsonl")
    mkdirSync(dirname(agentFile), { recursive: true })
    writeFileSync(agentFile, claudeFile(ID, box.project, "help"))
    const folder = String((await imported(box, ID)).path).replace(/\.jsonl$/, "")
    const names = (): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    const whole = names()
    expect(whole).toContain(join("subagents", "agent-1.jsonl"))
    rmSync(folder, { recursive: true })
    // What it would write first cannot be written.
    mkdirSync(join(folder, "subagents", "agent-1.jsonl.tmp"), { recursive: true })
    expect(await box.run([...FROM, ID])).toMatchObject({ code: 1 })
    expect(names()).not.toContain("source.jsonl.gz")
    rmSync(join(folder, "subagents", "agent-1.jsonl.tmp"), { recursive: true })
    await imported(box, ID)
    expect(names()).toEqual(whole)
  })

  test("repeated, adds nothing, and what is new once the source has grown", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello")
    const { path } = await imported(box, ID)
    const bytes = readFileSync(String(path))
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged", added: 0 })
    expect(readFileSync(String(path))).toEqual(bytes)
    appendFileSync(source, claudeFile(ID, box.project, "one more"))
    expect(await imported(box, ID)).toMatchObject({ status: "appended", rewritten: 0, path })
    expect(readFileSync(String(path)).subarray(0, bytes.length)).toEqual(bytes)
    expect(await texts(box)).toContain("Reply to one more")
    const folder = String(path).replace(/\.jsonl$/, "")
    expect(gunzipSync(readFileSync(join(folder, "source.jsonl.gz")))).toEqual(readFileSync(source))
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged" })
  })

  test("leaves a session that was continued here where it is, and adds a branch", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello")
    await imported(box, ID)
    await box.print("append", ID, JSON.stringify({ role: "user", content: "continued here", timestamp: 1 }))
    appendFileSync(source, claudeFile(ID, box.project, "one more"))
    expect(await imported(box, ID)).toMatchObject({ status: "branched", rewritten: 0 })
    const shown = await texts(box)
    expect(shown).toContain("continued here")
    expect(shown).not.toContain("one more")
    expect(await box.print("tree", ID)).toContain("one more")
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged" })
    expect(await texts(box)).toContain("continued here")
    expect((await box.run(["verify", ID])).code).toBe(0)
  })

  test("stores what was rewritten as a branch, and loses nothing", async () => {
    const box = sandbox()
    const source = claudeSession(box, ID, "hello", "second")
    await imported(box, ID)
    writeFileSync(source, readFileSync(source, "utf8").replace("Reply to hello", "Another reply"))
    const again = await imported(box, ID)
    expect(again).toMatchObject({ status: "branched" })
    expect(again.rewritten).toBeGreaterThan(0)
    expect(await texts(box)).toContain("Another reply")
    expect(await box.print("tree", ID)).toContain("Reply to hello")
    expect(await imported(box, ID)).toMatchObject({ status: "unchanged" })
    expect((await box.run(["verify", ID])).code).toBe(0)
  })

  test("takes all, or those of a folder, and is ended by none that is broken", async () => {
    const box = sandbox()
    claudeSession(box, ID, "hello")
    box.write(
      ".claude/projects/x/0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f.jsonl",
      claudeFile("0b8e4f4c", "/home/ada/shop", "hi"),
    )
    box.write(".claude/projects/x/broken.jsonl", "no line of Claude Code\n")
    const ofFolder = (await box.run([...FROM, "--project", ".", "--json"])).json
    expect(ofFolder.filter(({ status }) => status !== undefined)).toMatchObject([{ status: "created", sessionId: ID }])
    const { json, code } = await box.run([...FROM, "--all", "--json"])
    expect(json.map(({ status }) => status ?? "failed").sort()).toEqual(["created", "failed", "unchanged"])
    expect(code).toBe(1)
  })

  test("changes nothing with --dry-run", async () => {
    const box = sandbox()
    claudeSession(box, ID, "hello")
    const before = box.snapshot()
    expect(await imported(box, ID, "--dry-run")).toMatchObject({ status: "dry-run", lines: 2 })
    expect(box.snapshot()).toEqual(before)
  })

  test("goes to another store with --to", async () => {
    const box = sandbox()
    claudeSession(box, ID, "hello")
    const { path } = await imported(box, ID, "--to", "pi")
    expect(String(path).startsWith(join(box.folder, ".pi"))).toBe(true)
    expect(readdirSync(dirname(String(path)))).toHaveLength(2)
    expect((await box.run(["import", ID, "--from", "claude-code", "--to", "claude-code"])).stderr).toContain(
      "only read",
    )
  })

  test("is what `import` does with a file of it", async () => {
    const box = sandbox()
    const path = box.write("project/talk.jsonl", claudeFile("talk", "/home/ada/shop", "hello"))
    expect((await box.run(["import", path, "--json"])).json).toMatchObject([{ sessionId: "talk", status: "created" }])
    expect(await box.print("list", "--all", "--json")).toContain("/home/ada/shop")
  })
})
