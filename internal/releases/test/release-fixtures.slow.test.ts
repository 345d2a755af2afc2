import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { verifySession } from "@treelog/session-core/maintenance"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openAgentStore } from "../src/agent-store.js"
import { filesBelow } from "../src/files-below.js"
import { readRelease } from "../src/read-release.js"
import { writeRelease } from "../src/write-release.js"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const RELEASES = join(ROOT, "fixtures", "releases")
const releases = readdirSync(RELEASES)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treelog-releases-"))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe.each(releases)("what %s wrote", (version) => {
  let agent: string

  beforeEach(() => {
    agent = join(folder, "agent")
    cpSync(join(RELEASES, version, "agent"), agent, { recursive: true })
  })

  test("is read as that release read it", async () => {
    const expected = JSON.parse(readFileSync(join(RELEASES, version, "expected.json"), "utf8"))
    // As JSON has it; what later releases report in addition may be there.
    expect(JSON.parse(JSON.stringify(await readRelease(agent)))).toMatchObject(expected)
  })

  test("is not changed by reading its sessions", async () => {
    const { sessions } = openAgentStore(agent)
    const before = digestsBelow(agent)
    for await (const { path } of sessions.listAll()) {
      await sessions.readContext(path)
      await verifySession(sessions, path)
      await (await sessions.open(path, { access: "read" })).close()
    }
    expect(digestsBelow(agent)).toEqual(before)
  })

  test("can be gone on with", async () => {
    const { sessions } = openAgentStore(agent)
    for await (const { path } of sessions.listAll()) {
      const session = await sessions.open(path)
      const leaf = session.getLeafId()
      const id = session.appendMessage({ role: "user", content: "Go on", timestamp: 1 })
      await session.close()
      const again = await sessions.open(path, { access: "read" })
      expect(again.getEntry(id)).toMatchObject({ parentId: leaf, message: { content: "Go on" } })
      await again.close()
    }
  })
})

test("every release that the changelog names left its fixtures", () => {
  const changelog = join(ROOT, "packages", "session-core", "CHANGELOG.md")
  const text = existsSync(changelog) ? readFileSync(changelog, "utf8") : ""
  expect(releases).toEqual(expect.arrayContaining([...text.matchAll(/^## (\S+)$/gm)].map(([, version]) => version)))
})

test.each(releases)("the fixtures of %s are small", (version) => {
  const release = join(RELEASES, version)
  const sizes = filesBelow(release).map((path) => statSync(join(release, path)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300_000)
})

test("writing the fixtures gives the same bytes each time", async () => {
  await writeRelease(join(folder, "one"))
  await writeRelease(join(folder, "two"))
  const { "agent/history.db": one, ...first } = digestsBelow(join(folder, "one"))
  const { "agent/history.db": two, ...second } = digestsBelow(join(folder, "two"))
  expect(first).toEqual(second)
  // It hashes deleted prompts with a key of its own, which is drawn anew.
  expect(one).not.toBe(two)
})

test("the fixtures hold each kind of entry that a session has a method for", async () => {
  await writeRelease(join(folder, "now"))
  const { sessions } = JSON.parse(readFileSync(join(folder, "now", "expected.json"), "utf8"))
  const types = new Set(
    sessions.flatMap(({ tree }: { tree: string[] }) => tree.map((line) => line.trim().split(" ")[1])),
  )
  expect([...types].sort()).toEqual([
    "branch_summary",
    "compaction",
    "custom",
    "custom_message",
    "label",
    "message",
    "mode_change",
    "model_change",
    "session_info",
    "session_init",
    "thinking_level_change",
    "ttsr_injection",
  ])
})

function digestsBelow(root: string): Record<string, string> {
  const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex")
  return Object.fromEntries(filesBelow(root).map((path) => [path, digest(join(root, path))]))
}
