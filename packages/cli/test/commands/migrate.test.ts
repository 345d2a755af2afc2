import { existsSync, readFileSync } from "node:fs"
import { SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { FileSessionStorage } from "@treelog/storage-fs"
import { userEntry, userMessage } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const V1 = [
  { type: "message", timestamp: "2026-01-01T00:00:00.000Z", message: userMessage("one") },
  { type: "message", timestamp: "2026-01-01T00:00:00.000Z", message: userMessage("two") },
]

function oldSession(box: Sandbox, id: string): string {
  return box.store(V1, { id, version: 1 })
}

test("brings a session to the current version, and keeps it as it was", async () => {
  const box = sandbox()
  const path = oldSession(box, "old")
  const before = readFileSync(path, "utf8")
  const { code, stdout } = await box.run(["repair", "--migrate", "old"])
  expect(code).toBe(0)
  const file = path.slice(path.lastIndexOf("/") + 1)
  expect(stdout).toBe(`${path} 1 → 3 2 entries changed, kept as ${file}.v1.bak\n`)
  expect(readFileSync(`${path}.v1.bak`, "utf8")).toBe(before)
  expect((await box.run(["verify", "old", "--json"])).json[0]).toMatchObject({ ok: true, version: 3, diagnostics: [] })
})

test("--dry-run says the same, and does nothing", async () => {
  const box = sandbox()
  oldSession(box, "old")
  const before = box.snapshot()
  const { stdout, stderr } = await box.run(["repair", "--migrate", "old", "-n"])
  expect(stdout).toMatch(/ 1 → 3 2 entries changed\n$/)
  expect(stderr).toBe("This was a dry run.\n")
  expect(box.snapshot()).toEqual(before)
})

test("a session of the current version is left alone", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const before = box.snapshot().filter((line) => line.includes(".jsonl"))
  const { code, stdout, stderr } = await box.run(["repair", "--migrate", "@last"])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "The session has version 3 already.\n" })
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(before)
})

test("1: with --all one that fails never stops the others", async () => {
  const box = sandbox()
  const old = ["a", "z"].map((id) => oldSession(box, id))
  box.store([userEntry("one", null)], { id: "current" })
  const newer = box.store([userEntry("one", null)], { id: "newer", version: 9 })
  const bad = box.store([], { id: "bad" })
  box.write(bad.slice(box.folder.length), "nonsense\n")
  const { code, stdout, stderr } = await box.run(["repair", "--migrate", "--all"])
  expect(code).toBe(1)
  expect(old.map((path) => existsSync(`${path}.v1.bak`))).toEqual([true, true])
  expect(stdout).toContain(`${newer} UnsupportedVersionError`)
  expect(stdout).toContain(`${bad} InvalidSessionError the file is not a session`)
  expect(stderr).toBe("5 sessions: 2 migrated, 2 failed.\n")
})

test("5: with --all when nothing failed but sessions that someone else writes", async () => {
  const box = sandbox()
  const current = box.store([userEntry("one", null)], { id: "current" })
  const locked = oldSession(box, "locked")
  const free = oldSession(box, "free")
  const storage = new FileSessionStorage({ agentDir: box.agentDir, env: {} })
  const lease = await storage.lease(locked, { access: "exclusive", waitMs: 0 })
  onTestFinished(() => lease.release())
  const { code, json } = await box.run(["repair", "--migrate", "--all", "--json"])
  expect(code).toBe(5)
  const outcomes = new Map(json.map((outcome) => [outcome.path, outcome]))
  expect(outcomes.get(locked)).toMatchObject({ error: { code: "SessionBusyError" } })
  expect(outcomes.get(free)).toMatchObject({ from: 1, to: 3, changed: 2, backup: `${free}.v1.bak` })
  expect(outcomes.get(current)).toMatchObject({ from: 3, to: 3, changed: 0, backup: null })
  expect((await verifySession(new SessionManager({ storage }), locked)).version).toBe(1)
})

test("reports on a terminal how far it is when it takes more than a second", async () => {
  const box = sandbox()
  for (const id of ["a", "b"]) box.store([], { id })
  let time = 0
  const { stderr } = await box.run(["repair", "--migrate", "--all"], { isTTY: true, now: () => (time += 700) })
  expect(stderr).toContain("Scanned 2 sessions, 0 migrated")
})
