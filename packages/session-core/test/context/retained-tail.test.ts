import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext, MemoryBlobStore, SessionManager } from "@treelog/session-core"
import { readContextFromEnd, restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { prepareCompaction } from "@treelog/session-core/compaction"
import { verifySession } from "@treelog/session-core/maintenance"
import {
  assistantEntry,
  chain,
  entry,
  StoredSession,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const PICTURE = { type: "image", data: "AAAA".repeat(700), mimeType: "image/png" }
const kept = { role: "user", content: [{ type: "text", text: "keep this" }, PICTURE], timestamp: 1 }
const answer = {
  role: "assistant",
  content: [{ type: "text", text: "and this" }],
  provider: "p",
  model: "m",
  timestamp: 2,
}

const compaction = (fields: object) =>
  entry("compaction", "c", null, { summary: "so far", tokensBefore: 9, retainedTail: [kept, answer], ...fields })

const entries = (fields = {}): SessionEntry[] =>
  chain(userEntry("u1", null), assistantEntry("a1", null), compaction(fields), userEntry("u2", null))

describe("a compaction with a retainedTail", () => {
  it("gives these messages behind its summary, whatever it names as its first kept entry", () => {
    for (const fields of [{}, { firstKeptEntryId: "u1" }, { firstKeptEntryId: "gone" }]) {
      const { messages, entries: ids, diagnostics } = buildSessionContext(entries(fields))
      expect(ids).toEqual(["c", "c", "c", "u2"])
      expect(messages.slice(1, 3)).toEqual([kept, answer])
      expect(diagnostics).toEqual([])
    }
  })

  it("ignores what is no message", () => {
    const { messages } = buildSessionContext(entries({ retainedTail: [null, 7, { text: "no role" }, answer] }))
    expect(messages.map(({ role }) => role)).toEqual(["compactionSummary", "assistant", "user"])
  })

  it("gives the provider its own history instead", () => {
    const preserveData = { openaiRemoteCompaction: { provider: "openai", replacementHistory: [] } }
    const { entries: ids } = buildSessionContext(entries({ preserveData }), undefined, { provider: "openai" })
    expect(ids).toEqual(["c", "u2"])
  })

  it("is read from the end as from the start, and is no damage", async () => {
    const list = entries({ firstKeptEntryId: "gone" })
    const stored = new StoredSession()
    await stored.store(sessionText(testHeader(), ...list))
    const fromEnd = await readContextFromEnd(stored.storage, stored.key)
    expect(fromEnd?.messages).toEqual(buildSessionContext(list).messages)
    const sessions = new SessionManager({ storage: stored.storage })
    expect(await verifySession(sessions, stored.key)).toMatchObject({ ok: true })
  })

  it("has its images in the blob store, as other messages have", async () => {
    const blobs = new MemoryBlobStore()
    const [, , whole] = entries()
    const sanitized = await sanitizeEntry(whole as SessionEntry, blobs)
    expect(JSON.stringify(sanitized)).toContain("blob:sha256:")
    expect((await restoreEntry(sanitized as SessionEntry, blobs)).value).toEqual(whole)
  })

  it("has them summarized by the next compaction", () => {
    const settings = { enabled: true, reserveTokens: 0, keepRecentTokens: 1 }
    const list = chain(...entries(), assistantEntry("a2", null), userEntry("u3", null))
    const plan = prepareCompaction(list, settings as never)
    expect(plan?.messagesToSummarize.slice(0, 2)).toEqual([kept, answer])
  })
})
