import { readdirSync } from "node:fs"
import { join } from "node:path"
import { MemoryBlobStore, MemorySessionStorage, Session, SessionManager } from "@treelog/session-core"
import { compact, navigateTo, summarizeBranch } from "@treelog/session-core/compaction"
import {
  importSession,
  inflateSession,
  migrateSession,
  moveSession,
  relocateSession,
  repairSession,
  slimSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { checkEntry } from "@treelog/session-core/schema"
import { bytesOf, sessionText, testClock, testIds, textOf } from "@treelog-internal/test-kit"
import { allKinds, generateSession, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { ROOT, readText } from "./repository.js"
import { faultsIn } from "./session-validators.js"

// Whatever treelog writes is as docs/schema/session says.

const CWD = "/home/dev/shop"
const KEY = `memory:${CWD}/given`
const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 }
const summarizer = async () => ({ text: "## Goal\nTo see.", usage })
const user = (content: string) => ({ role: "user" as const, content, timestamp: 1 })
const image = { type: "image", mimeType: "image/png", data: Buffer.alloc(4_000, 1).toString("base64") }

class World {
  readonly storage = new MemorySessionStorage()
  readonly sessions = new SessionManager({
    storage: this.storage,
    blobs: new MemoryBlobStore(),
    clock: testClock(),
    ids: testIds(),
  })

  async give(text: string): Promise<string> {
    const lease = await this.storage.lease(KEY, { access: "exclusive", waitMs: 0 })
    await lease.create([bytesOf(text)])
    await lease.release()
    return KEY
  }

  async textOf(key = KEY): Promise<string> {
    const { size = 0 } = (await this.storage.stat(key)) ?? {}
    return textOf(await this.storage.readRange(key, 0, size))
  }

  /** What the schemas have against anything that is stored. */
  async faults() {
    const faults = []
    for await (const { key } of this.storage.list()) faults.push(...faultsIn(await this.textOf(key)))
    return faults
  }
}

/** Every way of a session to write an entry. */
const WRITES: Record<string, (session: Session, target: string) => unknown> = {
  append: (session, targetId) => session.append({ type: "context_edit", targetId, replacement: null }),
  appendMessage: (session) => session.appendMessage({ role: "user", content: [image], timestamp: 1 }),
  appendModelChange: (session) => session.appendModelChange("anthropic", "claude", "smol"),
  appendThinkingLevelChange: (session) => session.appendThinkingLevelChange(null),
  appendCompaction: (session, target) =>
    session.appendCompaction("Short.", target, 7, { readFiles: [] }, true, {
      shortSummary: "S.",
      preserveData: { any: 1 },
      usage,
      systemMessage: { role: "system", content: "Be kind." },
    }),
  appendCustomEntry: (session) => session.appendCustomEntry("todo", { n: 1 }),
  appendCustomMessageEntry: (session) =>
    session.appendCustomMessageEntry("memory", "Hi", true, { n: 1 }, { attribution: "agent" }),
  appendSessionInfo: (session) => session.appendSessionInfo("Discount"),
  appendLabelChange: (session, target) => session.appendLabelChange(target, "works"),
  appendModeChange: (session) => session.append({ type: "mode_change", mode: "plan", data: { file: "plan.md" } }),
  appendTtsrInjection: (session) => session.append({ type: "ttsr_injection", injectedRules: ["no-any"] }),
  appendSessionInit: (session) =>
    session.append({
      type: "session_init",
      systemPrompt: "",
      task: "audit",
      tools: ["read"],
      outputSchema: { type: "object" },
    }),
  branchWithSummary: (session, target) => session.branchWithSummary(target, "Left.", { n: 1 }, false, usage),
  persistLeaf: (session) => session.persistLeaf(),
  navigateTo: (session, target) => navigateTo(session, target, { summarize: summarizer, label: "again" }),
}

describe("what a session writes is as the schemas say", () => {
  test("with every method that appends there is", () => {
    const appending = Object.getOwnPropertyNames(Session.prototype).filter((name) => /^append/.test(name))
    expect(appending.filter((name) => !(name in WRITES))).toEqual([])
  })

  test.each(Object.keys(WRITES))("%s", async (name) => {
    const world = new World()
    const session = await world.sessions.create(CWD)
    const target = session.appendMessage(user("Why?"))
    session.appendMessage(user("Long. ".repeat(100_000)))
    await WRITES[name]?.(session, target)
    await session.close()
    expect(session.getEntries().length).toBeGreaterThan(2)
    expect(await world.faults()).toEqual([])
  })

  test("compactions and summaries of branches", async () => {
    const world = new World()
    const session = await world.sessions.create(CWD)
    const first = session.appendMessage(user("First. ".repeat(9_000)))
    session.appendMessage(user("Second. ".repeat(9_000)))
    const settings = { keepRecentTokens: 10 }
    expect((await compact(session, summarizer, { settings })).status).toBe("compacted")
    session.appendMessage(user("Third. ".repeat(9_000)))
    expect((await compact(session, summarizer, { settings })).status).toBe("compacted")
    expect((await summarizeBranch(session, first, summarizer)).status).toBe("summarized")
    await session.close()
    expect(await world.faults()).toEqual([])
  })

  test("forks, branches, imports, and sessions that move or get thinner", async () => {
    const world = new World()
    const key = await world.give(allValid("treelog"))
    const fork = await world.sessions.forkFrom(key, "/home/dev/fork")
    const branch = await fork.createBranchedSession(fork.getLeafId() ?? "")
    await branch.close()
    await fork.close()
    await importSession(world.sessions, key)
    await slimSession(world.sessions, key)
    const moved = await moveSession(world.sessions, key, "/home/dev/elsewhere")
    await inflateSession(world.sessions, await relocateSession(world.sessions, moved, "/home/dev/there"))
    expect(await world.faults()).toEqual([])
  })
})

/** The lines of a session of every kind, but for those messages that hold less than they should. */
function allValid(style: SessionStyle): string {
  return allKinds(style)
    .filter((line) => JSON.parse(line).type !== "message" || checkEntry(withHead(JSON.parse(line))).ok)
    .join("")
}

/** Entries of version 1 have no id. */
const withHead = (entry: object) => ({ id: "a", parentId: null, ...entry })

const styles: SessionStyle[] = ["pi", "pi-v1", "pi-migrated", "omp", "treelog"]

describe.each(styles)("of version 3, as it is or once it is migrated, a session of %s", (style) => {
  async function migrated(text: string): Promise<World> {
    const world = new World()
    await migrateSession(world.sessions, await world.give(text))
    return world
  }

  test("is as the schemas say, with every kind of entry", async () => {
    const world = await migrated(allValid(style))
    expect(await world.faults()).toEqual([])
  })

  test("is as the schemas say, as long ones are", async () => {
    const text = [...generateSession({ seed: 11, style, entries: 1_500, toolOutput: 100, imageBytes: 300 })].join("")
    const world = await migrated(text)
    expect(await world.faults()).toEqual([])
  })

  test("holds, where it is not as they say, just the messages that hold too little", async () => {
    const world = await migrated(allKinds(style).join(""))
    const faults = await world.faults()
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.map(({ line }) => JSON.parse(line)).filter((entry) => checkEntry(entry).ok)).toEqual([])
  })
})

test("what a repair makes of a damaged session is as the schemas say", async () => {
  const world = new World()
  const [header = "", ...entries] = allValid("pi").split(/(?<=\n)/)
  const half = entries[9]?.slice(0, 120) ?? ""
  const key = await world.give(
    [header, ...entries.slice(0, 9), `${half}\n`, '{"type":"label","label":"on nothing"}\n', ...entries.slice(10)].join(
      "",
    ),
  )
  await repairSession(world.sessions, key)
  expect(await verifySession(world.sessions, key)).toMatchObject({ ok: true })
  expect(await world.faults()).toEqual([])
})

test("a session of version 2 is as the schemas say once it is migrated", async () => {
  const world = new World()
  const header = { type: "session", version: 2, id: "a", timestamp: "2026-03-02T09:00:00Z", cwd: CWD }
  const message = { role: "hookMessage", customType: "lint", content: "Hi", display: true, timestamp: 1 }
  const entry = { type: "message", id: "b", parentId: null, timestamp: header.timestamp, message }
  await migrateSession(world.sessions, await world.give(sessionText(header, entry)))
  expect(await world.textOf()).toContain('"role":"custom"')
  expect(await world.faults()).toEqual([])
})

/** What releases left for later ones to read. */
const FIXTURES = "fixtures/releases"
const fixtures = readdirSync(join(ROOT, FIXTURES), { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\/sessions\/--[^/]+\/[^/]+\.jsonl$/.test(path))

test.each(fixtures)(
  "a session of an earlier release is as the schemas say, once it is migrated: %s",
  async (fixture) => {
    const world = new World()
    await migrateSession(world.sessions, await world.give(readText(`${FIXTURES}/${fixture}`)))
    expect(await world.faults()).toEqual([])
  },
)
