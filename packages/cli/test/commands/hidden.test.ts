import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { type Statement, writeDatabase } from "../write-database.js"

const ID = "00000000-0000-4000-8000-00000000000"
const bucketOf = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, "-")

const ARCHIVED = '{"archived":true,"at":"2026-03-02T10:00:00.000Z","by":"user"}'

/** A session of Claude Code with a prompt and an answer. */
function claudeSession(box: Sandbox, number: number, cwd: string, fields: object = {}, bucket = bucketOf(cwd)): string {
  const id = `${ID}${number}`
  const base = { isSidechain: false, userType: "external", cwd, sessionId: id, version: "2.1.332", ...fields }
  const prompt = { type: "user", message: { role: "user", content: `Look in ${cwd}` }, uuid: `u${number}` }
  const content = [{ type: "text", text: "Yes." }]
  const reply = {
    type: "assistant",
    message: { id: `m${number}`, type: "message", role: "assistant", model: "claude-sonnet-4-5", content },
    uuid: `a${number}`,
  }
  const lines = [
    { parentUuid: null, ...prompt, timestamp: "2026-03-01T10:00:00.000Z", ...base },
    { parentUuid: `u${number}`, ...reply, timestamp: "2026-03-01T10:00:01.000Z", ...base },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  const path = box.write(join(".claude", "projects", bucket, `${id}.jsonl`), text)
  utimesSync(path, 1_772_000_000, 1_772_000_000)
  return path
}

/** What doctor says of Claude Code. */
async function ofClaude(box: Sandbox): Promise<Record<string, unknown>> {
  const { json } = await box.run(["doctor", "--json"])
  return json.find(({ store }) => store === "claude-code") ?? {}
}

describe("what an agent hides", () => {
  test("A file of Claude Code with nothing but titles of other sessions, which names no folder, is one in which nothing was said.", async () => {
    const box = sandbox()
    const path = join(".claude", "projects", bucketOf(box.project), `${ID}1.jsonl`)
    box.write(path, `${JSON.stringify({ type: "summary", summary: "Another", leafUuid: `${ID}9` })}\n`)
    const { hidden } = (await ofClaude(box)) as { hidden: { reason: string }[] }
    expect(hidden.map(({ reason }) => reason)).toEqual(["no-prompt"])
  })

  test("Each hidden session has its reason, and what is deleted next is counted.", async () => {
    const box = sandbox()
    symlinkSync(box.project, join(box.folder, "link"))
    claudeSession(box, 1, box.project)
    claudeSession(box, 2, box.project, { entrypoint: "sdk-ts" })
    claudeSession(box, 3, join(box.folder, "gone"))
    claudeSession(box, 4, join(box.folder, "link"))
    claudeSession(box, 5, box.project, { isMeta: true })
    claudeSession(box, 6, box.project, { isSidechain: true })
    claudeSession(box, 7, box.project)
    box.write(join(".claude", "projects", bucketOf(box.project), `${ID}7`, "archived.json"), ARCHIVED)
    box.write(join(".claude", "settings.json"), '{"cleanupPeriodDays":7}')
    // A session is archived for everybody, and left out where the account has that.
    expect(await ofClaude(box)).toMatchObject({ listed: 2 })
    const [off, on] = ['{"tengu_tender_wren":false}', '{"tengu_tender_wren":true}']
    // The former name of the field comes first.
    box.write(".claude.json", `{"cachedGrowthBookFeatures":${off},"cachedFeatureFlags":${on}}`)
    expect(await ofClaude(box)).toMatchObject({ listed: 2 })
    box.write(".claude.json", `{"cachedGrowthBookFeatures":${on},"cachedFeatureFlags":${off}}`)
    expect(await ofClaude(box)).toMatchObject({ listed: 1 })
    box.write(".claude.json", '{"cachedFeatureFlags":{"tengu_tender_wren":true}}')
    const found = await ofClaude(box)
    expect(found).toMatchObject({ total: 7, listed: 1, deletion: { afterDays: 7, isDefault: false, due: 7 } })
    const hidden = found.hidden as { id: string; reason: string; detail?: string; canUnhide: boolean }[]
    const seen = hidden.map(({ id, reason, detail, canUnhide }) => [id.at(-1), reason, detail, canUnhide])
    expect(seen.sort()).toEqual([
      ["2", "entrypoint", "sdk-ts", true],
      ["3", "folder-gone", join(box.folder, "gone"), false],
      ["4", "other-folder", box.project, true],
      ["5", "no-prompt", undefined, false],
      ["6", "child", undefined, false],
      ["7", "archived", undefined, true],
    ])
    const { stdout } = await box.run(["doctor"])
    expect(stdout).toContain("  1 in its own list, 6 hidden:")
    expect(stdout).toContain(`treelog doctor --unhide ${ID}2 --store claude-code`)
    expect(stdout).toContain(`treelog relocate --from ${join(box.folder, "gone")} --to NEW`)
    // Of the programs that are not here, the names alone.
    expect(stdout.split("\n").filter((line) => line.startsWith("Not here: "))).toHaveLength(1)
    expect(stdout).not.toContain("workspaceStorage")
  })

  test("Of the settings that Claude Code can be started with, the shortest period counts, and the local ones of a folder before its others.", async () => {
    const box = sandbox()
    claudeSession(box, 1, box.project)
    const days = (number: number): string => `{"cleanupPeriodDays":${number}}`
    const project = (name: string): string => join("project", ".claude", name)
    const period = async (): Promise<unknown> => (await ofClaude(box)).deletion
    expect(await period()).toMatchObject({ afterDays: 30, isDefault: true })
    box.write(project("settings.json"), days(20))
    expect(await period()).toMatchObject({ afterDays: 20, isDefault: false })
    box.write(project("settings.local.json"), days(60))
    expect(await period()).toMatchObject({ afterDays: 30, isDefault: true })
    box.write(join(".claude", "settings.json"), days(90))
    const setting = expect.stringContaining("settings.local.json")
    expect(await period()).toMatchObject({ afterDays: 60, setting, isDefault: false })
    box.write(join(".claude", "remote-settings.json"), days(365))
    expect(await period()).toMatchObject({ afterDays: 365 })
  })

  test("Sessions that the app of Claude has are not deleted with the others, unless it has released them or the user gives them a period", async () => {
    const box = sandbox()
    const deletion = async (): Promise<unknown> => (await ofClaude(box)).deletion
    const ofApp = { entrypoint: "claude-desktop" }
    const settings = (more: object): string =>
      box.write(join(".claude", "settings.json"), JSON.stringify({ cleanupPeriodDays: 7, ...more }))
    settings({})
    for (const number of [1, 2, 3]) claudeSession(box, number, box.project, ofApp)
    expect(await deletion()).toMatchObject({ afterDays: 7, due: 0 })
    claudeSession(box, 4, box.project)
    expect(await deletion()).toMatchObject({ due: 1 })
    const release = (number: number, reason: string): string =>
      box.write(
        join(".claude", "projects", bucketOf(box.project), `${ID}${number}.desktop-released.json`),
        JSON.stringify({ reason }),
      )
    release(1, "delete")
    const archived = release(2, "archive")
    expect(await deletion()).toMatchObject({ due: 2 })
    utimesSync(archived, 1_772_000_000, 1_772_000_000)
    expect(await deletion()).toMatchObject({ due: 3 })
    settings({ desktopSessionCleanupPeriodDays: 7 })
    expect(await deletion()).toMatchObject({ due: 4 })
  })

  test("A session of Claude Code without a prompt is listed where a title is noted beside it.", async () => {
    const box = sandbox()
    claudeSession(box, 1, box.project, { isMeta: true })
    expect(await ofClaude(box)).toMatchObject({ listed: 0 })
    box.write(
      join(".claude", "projects", bucketOf(box.project), `${ID}1`, "custom-title.json"),
      '{"customTitle":"Plans"}',
    )
    expect(await ofClaude(box)).toMatchObject({ listed: 1 })
  })

  test("An archived session of Claude Code in which somebody said something since is listed.", async () => {
    const box = sandbox()
    box.write(".claude.json", '{"cachedFeatureFlags":{"tengu_tender_wren":true}}')
    claudeSession(box, 1, box.project)
    const at = (time: string): string => `{"archived":true,"at":"${time}"}`
    const path = join(".claude", "projects", bucketOf(box.project), `${ID}1`, "archived.json")
    box.write(path, at("2026-03-01T09:59:59.000Z"))
    expect(await ofClaude(box)).toMatchObject({ listed: 1 })
    box.write(path, at("2026-03-01T10:00:00.000Z"))
    expect(await ofClaude(box)).toMatchObject({ listed: 0 })
  })

  test("Of two files of Gemini CLI with one session, the list has the newer one that something was said in.", async () => {
    const box = sandbox()
    const id = `${ID}1`
    const session = (minute: number, ...records: object[]): void => {
      const at = `2026-03-01T10:0${minute}:00.000Z`
      const head = { sessionId: id, projectHash: "x", startTime: at, lastUpdated: at, kind: "main" }
      const name = `session-2026-03-01T10-0${minute}-00000000.jsonl`
      const lines = [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join("")
      box.write(join(".gemini", "tmp", "shop", "chats", name), lines)
    }
    const prompt = { id: "u", timestamp: "2026-03-01T10:00:00.000Z", type: "user", content: [{ text: "Why?" }] }
    const context = { ...prompt, id: "c", content: [{ text: "<session_context>\nHere" }] }
    box.write(join(".gemini", "tmp", "shop", ".project_root"), box.project)
    session(1, { $set: { messages: [context, prompt] } })
    session(2, { $set: { messages: [context] } })
    session(3, { $set: { messages: [context, prompt] } })
    const { json } = await box.run(["doctor", "--json"])
    const { listed, hidden } = json.find(({ store }) => store === "gemini") as Record<string, unknown>
    const reasons = (hidden as { path: string; reason: string }[]).map(({ path, reason }) => [
      path.slice(-16, -15),
      reason,
    ])
    expect([listed, reasons.sort()]).toEqual([
      1,
      [
        ["1", "duplicate"],
        ["2", "no-prompt"],
      ],
    ])
  })

  test("A session of Gemini CLI that only a digest gives a folder is found there; one whose folder nothing names is hidden.", async () => {
    const box = sandbox()
    for (const [project, id] of [
      ["0".repeat(64), "1"],
      ["shop", "2"],
    ] as const) {
      const message = { id: "u", timestamp: "2026-03-01T10:00:00.000Z", type: "user", content: [{ text: "Why?" }] }
      const session = { sessionId: id, projectHash: "x", startTime: "2026-03-01T10:00:00.000Z", messages: [message] }
      box.write(join(".gemini", "tmp", project, "chats", `session-${id}.json`), JSON.stringify(session))
    }
    const { json } = await box.run(["doctor", "--json"])
    const gemini = json.find(({ store }) => store === "gemini")
    expect(gemini).toMatchObject({ listed: 1, hidden: [{ id: "2", reason: "folder-gone" }] })
    expect(JSON.stringify(gemini)).not.toContain('"detail"')
  })

  test("A session of opencode is hidden where its folder is in no repository any more, and one of no repository is not.", async () => {
    const box = sandbox()
    const [repository, folder] = ["repository", "folder"].map((name) => join(box.folder, name)) as [string, string]
    box.write(join("repository", ".git", "HEAD"), "ref: refs/heads/main\n")
    mkdirSync(join(repository, "inner"))
    mkdirSync(folder)
    const sessions = [
      ["1", "a1b2", join(repository, "inner")],
      ["2", "a1b2", folder],
      ["3", "global", folder],
    ]
    await writeDatabase(join(box.folder, ".local/share/opencode/opencode.db"), [
      [
        "CREATE TABLE session (id text, project_id text, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)",
      ],
      ["CREATE TABLE message (id text, session_id text, time_created integer, time_updated integer, data text)"],
      [
        "CREATE TABLE part (id text, message_id text, session_id text, time_created integer, time_updated integer, data text)",
      ],
      ...sessions.map(
        ([id = "", project = "", directory = ""]): Statement => [
          "INSERT INTO session VALUES (?, ?, NULL, ?, 'Lamp', '1.18.33', NULL, 1795600000000, 1795600000000)",
          ...[id, project, directory],
        ],
      ),
    ])
    const { json } = await box.run(["doctor", "--json"])
    expect(json.find(({ store }) => store === "opencode")).toMatchObject({
      listed: 2,
      hidden: [{ id: "2", reason: "repository-gone", detail: folder, canUnhide: false }],
    })
  })

  test("A session of an agent whose rules nobody knows is not said to be listed.", async () => {
    const box = sandbox()
    box.store([])
    const { json } = await box.run(["doctor", "--json"])
    expect(json.find(({ total }) => total === 1)).toMatchObject({ listed: null })
  })

  test("--unhide repairs what hides a session, and --undo makes it as it was, byte for byte.", async () => {
    const box = sandbox()
    mkdirSync(join(box.folder, ".git"))
    const path = claudeSession(box, 2, box.project, { entrypoint: "sdk-ts" })
    const other = claudeSession(box, 4, box.project, {}, "-other")
    const before = [path, other].map((one) => readFileSync(one, "utf8"))
    expect(await ofClaude(box)).toMatchObject({ total: 2, listed: 0 })
    for (const id of [`${ID}2`, `${ID}4`])
      expect(await box.run(["doctor", "--unhide", id, "--store", "claude-code"])).toMatchObject({ code: 0 })
    expect(await ofClaude(box)).toMatchObject({ total: 2, listed: 2, hidden: [] })
    expect(existsSync(other)).toBe(false)
    const again = await box.run(["doctor", "--unhide", `${ID}2`, "--store", "claude-code"])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("its agent lists it") })
    expect((await box.run(["doctor", "--undo"])).code).toBe(0)
    expect((await box.run(["doctor", "--undo"])).code).toBe(0)
    expect((await box.run(["doctor", "--undo"])).code).toBe(3)
    expect([path, other].map((one) => readFileSync(one, "utf8"))).toEqual(before)
  })

  test("What one of two processes answered, and Claude Code shows no more, is named by tree and verify, and gone on from.", async () => {
    const box = sandbox()
    const path = claudeSession(box, 1, box.project)
    const line = (type: string, uuid: string, parentUuid: string): string => {
      const content = type === "user" ? `Prompt ${uuid}` : [{ type: "text", text: `Answer ${uuid}` }]
      const said = type === "user" ? {} : { id: uuid, type: "message", model: "claude-sonnet-4-5" }
      const message = { role: type, content, ...said }
      const base = { isSidechain: false, cwd: box.project, sessionId: `${ID}1`, version: "2.1.332" }
      return `${JSON.stringify({ parentUuid, type, message, uuid, timestamp: "2026-03-01T10:01:00.000Z", ...base })}\n`
    }
    const twice = [
      line("user", "u2", "a1"),
      line("user", "u3", "a1"),
      line("assistant", "a2", "u2"),
      line("assistant", "a3", "u3"),
    ]
    appendFileSync(path, twice.join(""))
    const { stdout, stderr } = await box.run(["tree", `${ID}1`])
    expect(stdout).toContain("Answer a2")
    expect(stderr).toContain("Another process wrote 1 answer, up to entry a2,")
    expect(stderr).toContain(`treelog resume ${ID}1 --leaf a2`)
    const verified = await box.run(["verify", `${ID}1`])
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("concurrent-branch") })
    const copy = await box.run(["resume", `${ID}1`, "--leaf", "a2"])
    expect(readFileSync(copy.stdout.trim(), "utf8")).toContain("Answer a2")
  })

  test("What undoes a change is kept for 30 days, until another change is made.", async () => {
    const box = sandbox()
    for (const number of [1, 2, 3]) claudeSession(box, number, box.project, { entrypoint: "sdk-ts" })
    const unhide = (number: number, day: string) =>
      box.run(["doctor", "--unhide", `${ID}${number}`], { now: () => Date.parse(`${day}T12:00:00Z`) })
    const days = (): string[] => readdirSync(join(box.agentDir, "undo")).map((name) => name.slice(0, 10))
    await unhide(1, "2026-05-01")
    await unhide(2, "2026-05-15")
    expect(days().sort()).toEqual(["2026-05-01", "2026-05-15"])
    await unhide(3, "2026-06-10")
    expect(days().sort()).toEqual(["2026-05-15", "2026-06-10"])
  })

  test("relocate moves the sessions of an agent with all that names their folder, and --undo moves them back.", async () => {
    const box = sandbox()
    const to = join(box.folder, "moved")
    mkdirSync(to)
    const path = claudeSession(box, 1, box.project)
    claudeSession(box, 2, `${box.project}-too`)
    const bucket = join(".claude", "projects", bucketOf(box.project))
    box.write(join(bucket, `${ID}1`, "tool-results", "x.txt"), "x")
    box.write(join(bucket, "memory", "MEMORY.md"), "m")
    box.write(join(".claude", "history.jsonl"), `${JSON.stringify({ display: "hi", project: box.project })}\n`)
    const trust = { projects: { [box.project]: { a: 1 }, [`${box.project}-too`]: { b: 1 } } }
    box.write(".claude.json", JSON.stringify(trust, undefined, 2))
    const before = box.snapshot().map((line) =>
      line
        .split(" ")
        .filter((_, at) => at !== 1 && at !== 2)
        .join(" "),
    )
    const move = ["relocate", "--from", box.project, "--to", to]
    const plan = await box.run([...move, "--json"])
    expect(plan.json).toMatchObject([{ id: `${ID}1`, from: box.project, to, dryRun: true }])
    expect((await box.run([...move, "--apply"])).code).toBe(0)
    expect(existsSync(path)).toBe(false)
    const moved = join(box.folder, ".claude", "projects", bucketOf(to))
    const text = readFileSync(join(moved, `${ID}1.jsonl`), "utf8")
    expect(text).toContain(`"cwd":${JSON.stringify(to)}`)
    expect(text).toContain(`Look in ${box.project}`)
    expect(existsSync(join(moved, `${ID}1`, "tool-results", "x.txt"))).toBe(true)
    expect(existsSync(join(moved, "memory", "MEMORY.md"))).toBe(true)
    expect(readFileSync(join(box.folder, ".claude", "history.jsonl"), "utf8")).toContain(JSON.stringify(to))
    const known = JSON.parse(readFileSync(join(box.folder, ".claude.json"), "utf8"))
    expect(known.projects).toEqual({ [to]: { a: 1 }, [`${box.project}-too`]: { b: 1 } })
    expect((await box.run(["list", "--cwd", to, "--store", "claude-code", "--json"])).json).toMatchObject([
      { id: `${ID}1` },
    ])
    expect((await box.run(["relocate", "--undo"])).code).toBe(0)
    const after = box.snapshot().map((line) =>
      line
        .split(" ")
        .filter((_, at) => at !== 1 && at !== 2)
        .join(" "),
    )
    const isOfAgent = (line: string): boolean => /^\.claude.*\.(?:jsonl?|md|txt) /.test(line)
    expect(after.filter(isOfAgent)).toEqual(before.filter(isOfAgent))
  })
})
