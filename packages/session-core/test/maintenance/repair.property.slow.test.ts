import { isDamage, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { repairSession, verifySession } from "@treelog/session-core/maintenance"
import { testClock, testIds, textOf, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const PLACE = { cwd: "/home/dev/shop", id: "damaged", timestamp: "2026-03-02T09:00:00.000Z" }
const HEADER = JSON.stringify({ type: "session", version: 3, ...PLACE })

const ids = fc.constantFrom(..."abcdefghij")
const links = fc.option(fc.oneof({ weight: 6, arbitrary: ids }, { weight: 1, arbitrary: fc.constant("missing") }))

const bodies = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("message"),
      message: fc.constant({ role: "user", content: "hello", timestamp: 1 }),
    }),
  },
  fc.record({ type: fc.constant("message") }),
  fc.record({ type: fc.constant("label"), targetId: links, label: fc.constant("x") }),
  fc.record({ type: fc.constant("leaf"), targetId: links }),
  fc.record({ type: fc.constant("thinking_level_change"), thinkingLevel: fc.constantFrom("high", "low") }),
  fc.record({
    type: fc.constant("context_edit"),
    targetId: ids,
    replacement: fc.constantFrom(null, 7, { content: "y" }),
  }),
  fc.record({
    type: fc.constant("compaction"),
    summary: fc.constant("s"),
    firstKeptEntryId: ids,
    tokensBefore: fc.constant(1),
    settings: fc.option(fc.record({ thinkingLevel: fc.constantFrom("high", "off") }), { nil: undefined }),
  }),
)

const entries = fc
  .record({ id: ids, parentId: links, body: bodies })
  .map(({ id, parentId, body: { type, ...rest } }) =>
    JSON.stringify({ type, id, parentId, timestamp: PLACE.timestamp, ...rest }),
  )

/** What is on a line: an entry, one that is damaged somewhere, two that were glued together, or anything else. */
const lines = fc.oneof(
  { weight: 8, arbitrary: entries },
  fc.tuple(entries, fc.nat()).map(([line, at]) => line.slice(0, at % line.length)),
  fc
    .tuple(entries, fc.nat())
    .map(([line, at]) => `${line.slice(0, at % line.length)}\u0000${line.slice(at % line.length)}`),
  fc.tuple(entries, entries).map(([one, other]) => one + other),
  fc.constantFrom(
    HEADER,
    "",
    "rubbish",
    '{"note":1}',
    '{"id":"b","parentId":"c"}',
    '{"type":"message","parentId":"b"}',
    "[1]",
  ),
)

/** What stands in front: a header of any version, one that is incomplete, none, and a line that cannot be read before it. */
const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant([HEADER]) },
  fc.constantFrom(
    [message("z", null)],
    ["rubbish", HEADER],
    ['{"type":"title","title":"x"}', HEADER],
    ['{"type":"session","id":"damaged"}'],
    [HEADER.replace("3", "1")],
    [HEADER.replace("3", "2")],
  ),
)

async function storeWith(text: string) {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor(PLACE)
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([new TextEncoder().encode(text)])
  await lease.release()
  const read = async () => textOf(await storage.readRange(key, 0, (await storage.stat(key))?.size ?? 0))
  return { key, read, manager: new SessionManager({ storage, clock: testClock(), ids: testIds() }) }
}

/** Gives what is stored after the repair. */
async function expectOneRepairIsEnough(stored: string): Promise<string> {
  const { key, read, manager } = await storeWith(stored)
  const { after } = await repairSession(manager, key)
  expect(after.diagnostics).toEqual([])
  expect((await verifySession(manager, key)).diagnostics.filter(isDamage)).toEqual([])
  const once = await read()
  expect((await repairSession(manager, key)).changes).toEqual([])
  expect(await read()).toBe(once)
  return once
}

function message(id: string, parentId: string | null): string {
  const message = { role: "user", content: id, timestamp: 1 }
  return JSON.stringify({ type: "message", id, parentId, timestamp: PLACE.timestamp, message })
}

describe("one repair is enough", () => {
  it("where two entries that lost their parents would each be linked below the other", async () => {
    const stored = [HEADER, message("a", "d"), message("b", "?"), message("c", "b"), message("d", "?"), ""]
    await expectOneRepairIsEnough(stored.join("\n"))
  })

  it("which leaves a leaf entry alone that points at an entry further down", async () => {
    const leaf = { type: "leaf", id: "l", parentId: null, timestamp: PLACE.timestamp, targetId: "a" }
    const line = JSON.stringify(leaf)
    expect(await expectOneRepairIsEnough([HEADER, line, message("a", "gone"), ""].join("\n"))).toContain(line)
  })

  it("where control characters stand before a record, or alone on a line", async () => {
    await expectOneRepairIsEnough([HEADER, `\u0000${message("a", null)}`, "\u0000\u0001", ""].join("\n"))
  })

  it("where the header stands behind an entry", async () => {
    await expectOneRepairIsEnough([message("a", null), HEADER, ""].join("\n"))
  })

  it("whatever the parents are, whichever ids are doubled, and whatever lines are damaged", async () => {
    const bodies = fc.array(lines, { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(headers, bodies, fc.constantFrom("", "\n"), async (header, body, end) => {
        await expectOneRepairIsEnough([...header, ...body].join("\n") + end)
      }),
      { seed: 20_261_122, numRuns: tries(200) },
    )
  })

  it("in a time that grows with the entries, also where everything stands behind its parent", async () => {
    const count = 20_000
    const upwards = Array.from({ length: count }, (_, at) => message(`e${at}`, at % 3 === 0 ? "gone" : `e${at + 1}`))
    await expectOneRepairIsEnough([HEADER, ...upwards, ""].join("\n"))
  })
})
