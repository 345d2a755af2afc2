import {
  type Diagnostic,
  isDamage,
  MemorySessionStorage,
  type SessionEntry,
  SessionManager,
} from "@treelog/session-core"
import { repairSession, verifySession } from "@treelog/session-core/maintenance"
import { testClock, testIds, textOf, tries } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { allKinds, generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"

const encoder = new TextEncoder()
const PLACE = { cwd: "/home/dev/shop", id: "damaged", timestamp: "2026-03-02T09:00:00.000Z" }

/** A store that holds one session with these bytes. */
async function storeWith(bytes: Uint8Array) {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor(PLACE)
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  return { storage, key, manager: new SessionManager({ storage, clock: testClock(), ids: testIds() }) }
}

async function bytesAt(storage: MemorySessionStorage, key: string): Promise<Uint8Array> {
  const stat = await storage.stat(key)
  return storage.readRange(key, 0, stat?.size ?? 0)
}

function sessionBytes(style: SessionStyle, seed: number): Uint8Array {
  return encoder.encode([...generateSession({ seed, style, entries: 40, toolOutput: 80, images: 0 })].join(""))
}

const HEADER = JSON.stringify({
  type: "session",
  version: 3,
  id: "damaged",
  timestamp: PLACE.timestamp,
  cwd: PLACE.cwd,
})

function user(id: string, parentId: string | null, text = id): string {
  const message = { role: "user", content: text, timestamp: 1 }
  return JSON.stringify({ type: "message", id, parentId, timestamp: PLACE.timestamp, message })
}

async function repaired(...lines: string[]) {
  const store = await storeWith(encoder.encode(lines.join("\n")))
  const report = await repairSession(store.manager, store.key)
  const session = await store.manager.open(store.key, { access: "read" })
  return { ...store, report, session }
}

function messages(entries: readonly SessionEntry[]): unknown[] {
  return entries.flatMap((entry) => ("message" in entry ? [entry.message] : []))
}

function kinds(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ kind }) => kind)
}

describe("repair", () => {
  it("changes no byte of a session that is whole, in any style", async () => {
    for (const style of ["pi", "omp"] as const) {
      const bytes = encoder.encode(allKinds(style).join(""))
      const { storage, key, manager } = await storeWith(bytes)
      const before = await verifySession(manager, key)
      expect(before.diagnostics.filter(isDamage)).toEqual([])
      expect(await repairSession(manager, key)).toMatchObject({ changes: [], backup: undefined })
      expect(await bytesAt(storage, key)).toEqual(bytes)
    }
  })

  it("splits glued records and closes a torn tail, which it keeps in an entry", async () => {
    const torn = '{"type":"message","id":"c","par'
    const { report, session } = await repaired(HEADER, `${user("a", null)}${user("b", "a")}`, torn)
    expect(report.changes.map(({ kind, line }) => [kind, line])).toEqual([
      ["glued-records", 2],
      ["torn-line", 3],
      ["unterminated-line", 3],
    ])
    expect(session.getEntry("b")?.parentId).toBe("a")
    expect(session.getEntries().at(-1)).toMatchObject({
      customType: "treelog.damaged",
      parentId: "b",
      data: { encoding: "utf-8", text: torn },
    })
    expect(report.after).toMatchObject({ ok: true, diagnostics: [] })
  })

  it("keeps bytes that are no UTF-8 so that they can be had back exactly", async () => {
    const bytes = Uint8Array.of(...encoder.encode(`${HEADER}\n`), 0xff, 0xfe, 0x00, 0x0a)
    const { manager, key } = await storeWith(bytes)
    await repairSession(manager, key)
    const session = await manager.open(key, { access: "read" })
    expect(session.getEntries()).toMatchObject([{ data: { encoding: "hex", text: "fffe00" } }])
  })

  it("gives a lost header back from the name and the neighbours", async () => {
    const { storage, key, manager } = await storeWith(encoder.encode(`${user("a", null)}\n`))
    const neighbour = await manager.create(PLACE.cwd, { persist: "create" })
    await neighbour.close()
    const report = await repairSession(manager, key)
    expect(report.changes.map(({ kind }) => kind)).toEqual(["missing-header"])
    const session = await manager.open(key, { access: "read" })
    expect(session.getHeader()).toMatchObject({ id: "damaged", cwd: PLACE.cwd, timestamp: PLACE.timestamp, version: 3 })
    expect(session.getEntries()).toHaveLength(1)
    expect(textOf(await storage.readRange(`${key}.repair.bak`, 0, 1000))).toBe(`${user("a", null)}\n`)
  })

  it("links by file order what lost its parent, is its own, or is in a circle", async () => {
    const { report, session } = await repaired(
      HEADER,
      user("a", null),
      user("b", "gone"),
      user("c", "c"),
      user("d", "e"),
      user("e", "d"),
    )
    expect(session.getBranch("e").map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"])
    expect(report.changes.map(({ kind }) => kind)).toEqual([
      "missing-parent",
      "self-parent",
      "cycle",
      "unterminated-line",
    ])
  })

  it("keeps an object that is no entry within one: with the id that it had, under what it named, else under what precedes it", async () => {
    const odd = { id: "odd", parentId: "one", role: "user", content: "Which type?" }
    const { session, report, manager, key } = await repaired(
      HEADER,
      user("one", null),
      user("two", "one"),
      JSON.stringify(odd),
      user("three", "odd"),
      '{"note":1}',
      "",
    )
    const [, , first, , second] = session.getEntries()
    expect(first).toMatchObject({
      type: "custom",
      customType: "treelog.damaged",
      id: "odd",
      parentId: "one",
      data: odd,
    })
    expect(second).toMatchObject({
      type: "custom",
      customType: "treelog.damaged",
      parentId: "three",
      data: { note: 1 },
    })
    expect(session.getBranch("three").map(({ id }) => id)).toEqual(["one", "odd", "three"])
    expect(report.changes.map(({ kind, line }) => [kind, line])).toEqual([
      ["not-an-entry", 4],
      ["not-an-entry", 6],
    ])
    expect((await verifySession(manager, key)).diagnostics).toEqual([])
  })

  it("separates entries with the same id, and keeps what was appended to the earlier one under it", async () => {
    const { session } = await repaired(
      HEADER,
      user("a", null),
      user("b", "a", "first"),
      user("c", "b"),
      user("b", "c", "second"),
    )
    const entries = session.getEntries()
    expect(new Set(entries.map(({ id }) => id)).size).toBe(4)
    expect(messages(session.getBranch("b"))).toMatchObject([
      { content: "a" },
      { content: "first" },
      { content: "c" },
      { content: "second" },
    ])
  })

  it("repairs labels, boundaries and checkpoints that point nowhere, without changing what the model gets", async () => {
    const entry = (type: string, id: string, parentId: string, fields: object) =>
      JSON.stringify({ type, id, parentId, timestamp: PLACE.timestamp, ...fields })
    const lines = [
      HEADER,
      user("a", null),
      entry("label", "l", "a", { targetId: "nowhere", label: "x" }),
      entry("compaction", "k", "l", {
        summary: "s",
        firstKeptEntryId: "nowhere",
        tokensBefore: 1,
        settings: { thinkingLevel: "high" },
      }),
      user("b", "k"),
    ]
    const before = await storeWith(encoder.encode(`${lines.join("\n")}\n`))
    const found = await verifySession(before.manager, before.key)
    expect(kinds(found.diagnostics)).toEqual([
      "unknown-label-target",
      "unknown-compaction-boundary",
      "checkpoint-mismatch",
    ])
    const context = await before.manager.readContext(before.key)
    const { report, manager, key } = await repaired(...lines, "")
    expect(report.after.diagnostics).toEqual([])
    expect((await manager.readContext(key)).messages).toEqual(context.messages)
  })

  it("writes nothing on a dry run, and says what it would do", async () => {
    const bytes = encoder.encode(`${HEADER}\n${user("a", "gone")}\nrubbish\n`)
    const { storage, key, manager } = await storeWith(bytes)
    const dry = await repairSession(manager, key, { dryRun: true })
    expect(dry.backup).toBeUndefined()
    expect(await bytesAt(storage, key)).toEqual(bytes)
    expect((await repairSession(manager, key)).changes).toEqual(dry.changes)
  })

  it("leaves a session clean, and every message that was readable readable, whatever damaged it", async () => {
    const random = new Random(20_261_121)
    const styles = ["pi", "omp", "pi-migrated", "pi-v1"] as const
    for (let run = 0; run < tries(16); run++) {
      const style = styles[run % styles.length] ?? "pi"
      let bytes = sessionBytes(style, run % 7)
      const done: string[] = []
      for (let count = random.between(1, 3); count > 0; count--) {
        const damage = damageBytes(bytes, random)
        bytes = damage.bytes
        done.push(damage.kind)
      }
      await expectRepairable(bytes, `run ${run}, ${style}: ${done.join(", ")}`)
    }
  })
})

async function expectRepairable(bytes: Uint8Array, what: string): Promise<void> {
  const { key, manager } = await storeWith(bytes)
  const readable = await manager.open(key, { access: "read" }).then(
    (session) => messages(session.getEntries()),
    () => [],
  )
  const verified = await verifySession(manager, key).catch(() => undefined)
  if (verified?.version !== undefined && ![1, 2, 3].includes(verified.version as number)) return
  if (bytes.every((byte) => byte <= 0x20)) return
  const report = await repairSession(manager, key).catch((error: unknown) => {
    if (error instanceof Error && error.name === "UnsupportedVersionError") return undefined
    throw new Error(what, { cause: error })
  })
  if (!report) return
  expect(report.after.diagnostics.filter(isDamage), what).toEqual([])
  expect((await verifySession(manager, key)).diagnostics.filter(isDamage), what).toEqual([])
  const session = await manager.open(key, { access: "read" })
  const now = new Set(messages(session.getEntries()).map((message) => JSON.stringify(message)))
  expect(
    readable.filter((message) => !now.has(JSON.stringify(message))),
    what,
  ).toEqual([])
  if (verified?.ok === false) expect(report.changes, what).not.toEqual([])
}

describe("a damaged line", () => {
  const damaged = user("b", "a", "lost").replace('"content"', '"cont\u0000ent')
  const lines = [HEADER, user("a", null), damaged, user("c", "b"), user("d", "c"), ""]

  it("costs only its own message: what was appended to it keeps its way to the root", async () => {
    const { key, manager } = await storeWith(encoder.encode(lines.join("\n")))
    const session = await manager.open(key, { access: "read" })
    expect(messages(session.getBranch())).toMatchObject([{ content: "a" }, { content: "c" }, { content: "d" }])
    expect(kinds(session.getDiagnostics())).toEqual(["invalid-json"])
    expect(session.buildSessionContext().entries).toEqual(["a", "c", "d"])
  })

  it("is a link also for a session that follows what others append", async () => {
    const { storage, key, manager } = await storeWith(encoder.encode(`${HEADER}\n${user("a", null)}\n`))
    const reader = await manager.open(key, { access: "read" })
    const stat = await storage.stat(key)
    const lease = await storage.lease(key, { access: "shared", waitMs: 0 })
    if (stat) await lease.append(encoder.encode(`${damaged}\n${user("c", "b")}\n`), stat)
    await lease.release()
    await reader.refresh()
    expect(reader.buildSessionContext().entries).toEqual(["a", "c"])
  })

  it("is where no context begins, whichever way it is read", async () => {
    const { key, manager } = await storeWith(encoder.encode([HEADER, user("a", null), damaged, ""].join("\n")))
    expect((await manager.readContext(key)).entries).toEqual(["a"])
    await expect(manager.readContext(key, { leafId: "b" })).rejects.toMatchObject({ code: "EntryNotFoundError" })
  })

  it("is no entry where nothing was appended to it, so that nothing ever is", async () => {
    const { key, manager } = await storeWith(encoder.encode([HEADER, user("a", null), damaged, ""].join("\n")))
    const session = await manager.open(key)
    expect(session.getLeafId()).toBe("a")
    const id = session.appendMessage({ role: "user", content: "next", timestamp: 1 })
    await session.close()
    expect((await manager.open(key, { access: "read" })).getEntry(id)?.parentId).toBe("a")
  })

  it("stays as it is, byte for byte, when others are appended, and when the session is forked", async () => {
    const { storage, key, manager } = await storeWith(encoder.encode(lines.join("\n")))
    const fork = await manager.forkFrom(key, "/elsewhere")
    expect(textOf(await bytesAt(storage, fork.getSessionFile() ?? ""))).toContain(`\n${damaged}\n`)
    await fork.close()
  })

  it("becomes an entry that holds its text, with its own id and parent, when the session is repaired", async () => {
    const { report, session } = await repaired(...lines)
    expect(session.getEntry("b")).toMatchObject({ parentId: "a", data: { encoding: "utf-8", text: damaged } })
    expect(report.changes.map(({ kind, line }) => [kind, line])).toEqual([["invalid-json", 3]])
    expect(report.after.diagnostics).toEqual([])
  })
})
