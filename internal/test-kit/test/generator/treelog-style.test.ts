import { MemorySessionStorage, type Session, type SessionEntry, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { testClock, testIds } from "@treelog-internal/test-kit"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"

const SHAPE = { style: "treelog", entries: 1_500, compactions: 12, branching: 0.3, imageBytes: 2_000 } as const

/** Where the lines are stored, and who opens them. */
async function stored(lines: Iterable<string>): Promise<{ sessions: SessionManager; key: string }> {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor({ id: "generated", timestamp: "2026-03-07T14:00:00.000Z", cwd: "/home/dev/shop" })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([...lines].map((line) => Buffer.from(line)))
  await lease.release()
  return { sessions: new SessionManager({ storage, clock: testClock(), ids: testIds(7) }), key }
}

type Fields = Record<string, never> & { readonly type: string; readonly details?: unknown }

/** Has the session write an entry like the given one. */
function appendLike(session: Session, entry: SessionEntry, idOf: (id: unknown) => string): string {
  const { type, details, ...fields } = entry as unknown as Fields
  const { summary, usage } = fields as { summary: never; usage?: never }
  if (type === "message") return session.appendMessage(fields.message as never)
  if (type === "model_change") return session.appendModelChange(fields.provider as never, fields.modelId as never)
  if (type === "thinking_level_change") return session.appendThinkingLevelChange(fields.thinkingLevel as never)
  if (type === "custom") return session.appendCustomEntry(fields.customType as never, fields.data)
  if (type === "session_info") return session.appendSessionInfo(fields.name as never)
  if (type === "label") return session.appendLabelChange(idOf(fields.targetId), fields.label)
  if (type === "branch_summary") return session.branchWithSummary(session.getLeafId(), summary, details)
  const { customType, content, display } = fields as { customType: never; content: never; display: never }
  if (type === "custom_message") return session.appendCustomMessageEntry(customType, content, display, details)
  if (type !== "compaction") throw new Error(`treelog writes no ${type}.`)
  const extras = usage === undefined ? {} : { usage }
  return session.appendCompaction(summary, idOf(fields.firstKeptEntryId), 1, details, undefined, extras)
}

describe("a generated session of the style treelog", () => {
  test.each([1, 2, 3])("carries in each compaction what is set on the way to it (seed %i)", async (seed) => {
    const { sessions, key } = await stored(generateSession({ ...SHAPE, seed }))
    expect((await verifySession(sessions, key)).diagnostics).toEqual([])
  })

  test("has its fields in the order in which a Session writes them", async () => {
    const { sessions, key } = await stored(generateSession({ ...SHAPE, seed: 5 }))
    const copy = sessions.inMemory()
    const ids = new Map<unknown, string>()
    const types = new Set<string>()
    for (const entry of (await sessions.open(key, { access: "read" })).getEntries()) {
      if (entry.parentId === null) copy.resetLeaf()
      else copy.branch(ids.get(entry.parentId) ?? "")
      const id = appendLike(copy, entry, (old) => ids.get(old) ?? "")
      ids.set(entry.id, id)
      types.add(entry.type)
      expect(Object.keys(copy.getEntry(id) ?? {})).toEqual(Object.keys(entry))
    }
    expect(types.size).toBe(9)
  })
})
