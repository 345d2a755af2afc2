import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

test("0: a sound session prints nothing, and says so on stderr", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null), userEntry("two", "one")])
  const sound = { code: 0, stdout: "", stderr: "1 session, 2 entries: no damage.\n" }
  expect(await box.run(["verify", path])).toMatchObject(sound)
  expect(await box.run(["verify"])).toMatchObject({ ...sound, stderr: `The newest session: ${path}\n${sound.stderr}` })
})

test("4: names every fault with line and byte offset", async () => {
  const box = sandbox()
  const lines = [userEntry("one", null), "nonsense", userEntry("two", "gone"), userEntry("three", "three")]
  const path = box.store(lines)
  const { code, stdout, stderr } = await box.run(["verify", path])
  expect(code).toBe(4)
  expect(stderr).toBe("1 session, 3 entries: 3 faults.\n")
  const offsets = [2, 3, 4].map((count) => offsetOfLine(box.store(lines), count))
  expect(stdout.split("\n").map((line) => line.replace(path, "PATH").split(" ").slice(0, 2).join(" "))).toEqual([
    `PATH:3:${offsets[0]} invalid-json`,
    `PATH:4:${offsets[1]} missing-parent`,
    `PATH:5:${offsets[2]} self-parent`,
    "",
  ])
})

test("4: names a damaged line in the transcript of another agent's sub-agent", async () => {
  const box = sandbox()
  const head = { sessionId: "a1", projectHash: "h", startTime: "2026-11-25T10:00:00.000Z", kind: "main" }
  const prompt = { id: "1", timestamp: "2026-11-25T10:00:01.000Z", type: "user", content: [{ text: "Go" }] }
  const lines = (...records: unknown[]) =>
    records.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("")
  const path = box.write(".gemini/tmp/p/chats/session-2026-11-25T10-00-a1.jsonl", lines(head, prompt))
  const agent = lines({ ...head, sessionId: "b1", kind: "subagent" }, '{"id":"2","ty', prompt)
  box.write(".gemini/tmp/p/chats/a1/b1.jsonl", agent)
  const { code, stdout } = await box.run(["verify", path])
  expect({ code, stdout }).toMatchObject({ code: 4, stdout: expect.stringContaining("b1.jsonl: Line 2 is not JSON") })
})

test("4: names the transcript of another agent's sub-agent that cannot be read, and verifies the session", async () => {
  const box = sandbox()
  const head = { sessionId: "a1", projectHash: "h", startTime: "2026-11-25T10:00:00.000Z", kind: "main" }
  const prompt = { id: "1", timestamp: "2026-11-25T10:00:01.000Z", type: "user", content: [{ text: "Go" }] }
  const path = box.write(
    ".gemini/tmp/p/chats/session-2026-11-25T10-00-a1.jsonl",
    `${JSON.stringify(head)}\n${JSON.stringify(prompt)}\n`,
  )
  box.write(".gemini/tmp/p/chats/a1/b1.jsonl", "nonsense\n")
  const { code, stdout, stderr } = await box.run(["verify", path])
  expect({ code, stdout, stderr }).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/unreadable-part b1\.jsonl: Not a session/),
    stderr: expect.stringContaining("1 session, 1 entry: 1 fault."),
  })
})

test("0: an old version and a missing line end are notes", async () => {
  const box = sandbox()
  const header = { type: "session", id: "old", timestamp: "2026-01-01T00:00:00.000Z", cwd: box.project }
  const path = box.write("old.jsonl", JSON.stringify(header))
  const { code, stdout, stderr } = await box.run(["verify", path])
  expect(code).toBe(0)
  expect(stdout.split("\n").map((line) => line.split(" ")[1])).toEqual(
    expect.arrayContaining(["old-version", "unterminated-line"]),
  )
  expect(stderr).toBe("1 session, 0 entries: 2 notes, no damage.\n")
})

test("4: a file that is no session is damage, whatever else is sound", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "sound" })
  const bad = box.store([], { id: "bad" })
  box.write(bad.slice(box.folder.length), "nonsense\n")
  const { code, stdout, stderr } = await box.run(["verify", "--all"])
  expect(code).toBe(4)
  expect(stdout).toContain(`${bad} InvalidSessionError`)
  expect(stderr).toBe("2 sessions, 1 entry: 1 fault.\n")
})

test("--all prints JSON Lines, a session each", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "sound" })
  box.store(["nonsense"], { id: "torn" })
  const { json, stderr } = await box.run(["verify", "--all", "--json"])
  expect(stderr).toBe("")
  expect(json.map(({ v, id, ok }) => ({ v, id, ok }))).toEqual(
    expect.arrayContaining([
      { v: 1, id: "sound", ok: true },
      { v: 1, id: "torn", ok: false },
    ]),
  )
})

test("a name means its session from every folder", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "here" })
  box.store([userEntry("one", null)], { id: "there", cwd: "/elsewhere", title: "Audit" })
  expect((await box.run(["verify", "Audit"])).stderr).toBe("1 session, 1 entry: no damage.\n")
})

function offsetOfLine(path: string, lines: number): number {
  const bytes = readFileSync(path)
  let at = 0
  for (let line = 0; line < lines; line++) at = bytes.indexOf(10, at) + 1
  return at
}

describe("--fix-orphans", () => {
  const TOKEN = "0123456789abcdef"

  /** What killed commands left, everywhere in a store; an hour later, unless it is young. */
  function leave(box: Sandbox, session: string, isYoung = false): string[] {
    const paths = [
      `${session}.${TOKEN}.tmp`,
      `${session}.lock.${TOKEN}.tmp`,
      box.write(join("agent", "terminal-sessions", `pts-1.${TOKEN}.tmp`), ""),
      box.write(join("agent", "blobs", `.put-${TOKEN}${TOKEN}.tmp`), ""),
      join(box.cacheDir, "lists", `0-x.list.${TOKEN}.tmp`),
    ]
    mkdirSync(join(box.cacheDir, "lists"), { recursive: true })
    const time = isYoung ? Date.now() / 1000 : 0
    for (const path of paths) {
      writeFileSync(path, "left")
      utimesSync(path, time, time)
    }
    return paths.sort()
  }

  test("removes what killed commands left in the store, its blobs, breadcrumbs and list cache, and prints it", async () => {
    const box = sandbox()
    const session = box.store([userEntry("one", null)])
    const before = box.snapshot().filter((line) => !/^agent(?:\/sessions.*--)? /.test(line))
    const paths = leave(box, session)
    const world = { now: Date.now }
    const { code, stdout, stderr } = await box.run(["verify", "--all", "--fix-orphans"], world)
    expect({ code, lines: stdout.trimEnd().split("\n").sort() }).toEqual({
      code: 0,
      lines: paths.map((path) => `${path} removed`),
    })
    expect(stderr).toBe("1 session, 1 entry: no damage.\n5 orphaned files removed.\n")
    expect(paths.filter((path) => existsSync(path))).toEqual([])
    for (const line of before) expect(box.snapshot()).toContain(line)
    const again = await box.run(["verify", "--all", "--fix-orphans", "--json"], world)
    expect(again.json).toMatchObject([{ ok: true }])
  })

  test("removes nothing that could still be in use, and without it nothing at all", async () => {
    const box = sandbox()
    const session = box.store([userEntry("one", null)])
    const young = leave(box, session, true)
    await box.run(["verify", "--all", "--fix-orphans"])
    expect(young.filter((path) => !existsSync(path))).toEqual([])
    const old = leave(box, session)
    await box.run(["verify", "--all"])
    expect(old.filter((path) => !existsSync(path))).toEqual([])
  })

  test("2: is for the whole store", async () => {
    const box = sandbox()
    const session = box.store([userEntry("one", null)])
    for (const argv of [[], [session], [session, "--all"]])
      expect(await box.run(["verify", "--fix-orphans", ...argv])).toMatchObject({ code: 2, stdout: "" })
  })
})
