import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import { assistantEntry, chain, entry, TEST_START, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const compaction = (id: string, firstKeptEntryId: unknown, fields = {}) =>
  entry("compaction", id, null, { summary: `sum ${id}`, firstKeptEntryId, tokensBefore: 9, ...fields })

const context = (entries: SessionEntry[], options?: Parameters<typeof buildSessionContext>[2]) =>
  buildSessionContext(chain(...entries), undefined, options)

/** u1 a1 u2 a2, the compaction, u3. */
const around = (...middle: SessionEntry[]) => [
  userEntry("u1", null),
  assistantEntry("a1", null),
  userEntry("u2", null),
  assistantEntry("a2", null),
  ...middle,
  userEntry("u3", null),
]

describe("a compaction on the path", () => {
  it("gives its summary first, then what it keeps, then what follows it", () => {
    const { messages, entries, diagnostics } = context(around(compaction("c", "u2", { shortSummary: "short" })))
    expect(entries).toEqual(["c", "u2", "a2", "u3"])
    expect(messages[0]).toStrictEqual({
      role: "compactionSummary",
      summary: "sum c",
      shortSummary: "short",
      tokensBefore: 9,
      timestamp: TEST_START,
    })
    expect(diagnostics).toEqual([])
  })

  it("stands behind a message that is placed at the start, and says that its summary is verbatim", () => {
    const first = entry("custom_message", "m", null, {
      customType: "m",
      content: "x",
      display: false,
      placement: "start",
    })
    const { messages, entries } = context(
      around(compaction("c", "c", { verbatim: true }), userEntry("u9", null), first),
    )
    expect(entries).toEqual(["m", "c", "u9", "u3"])
    expect(messages[1]).toMatchObject({ role: "compactionSummary", summary: "sum c", verbatim: true })
  })

  it("gives no summary where it is verbatim and empty", () => {
    const { entries } = context(around(compaction("c", "u2", { summary: "", verbatim: true })))
    expect(entries).toEqual(["u2", "a2", "u3"])
  })

  it("gives the messages that an agent sends for it, also inside of what a later one keeps", () => {
    const sentAs = (text: string) => ({ sentAs: [null, { role: "user", content: text, timestamp: 1 }] })
    const older = compaction("old", "u1", sentAs("Older"))
    const { messages, entries } = context(around(older, compaction("new", "a2", sentAs("Newer"))))
    expect(entries).toEqual(["new", "a2", "old", "u3"])
    expect(messages).toMatchObject([{ content: "Newer" }, {}, { content: "Older" }, {}])
  })

  it("that names itself keeps nothing, and that is no fault", () => {
    const { entries, diagnostics } = context(around(compaction("c", "c")))
    expect(entries).toEqual(["c", "u3"])
    expect(diagnostics).toEqual([])
  })

  it.each([undefined, null, "gone", "u3", 5, { toString: 1 }])(
    "that keeps from %j, which is not on the path before it, keeps nothing and is reported",
    (firstKept) => {
      const { entries, diagnostics } = context(around(compaction("c", firstKept)))
      expect(entries).toEqual(["c", "u3"])
      expect(diagnostics).toMatchObject([{ kind: "unknown-compaction-boundary", entryId: "c" }])
    },
  )

  it("does not keep from an entry of another branch", () => {
    const entries = [...chain(userEntry("u1", null), userEntry("u2", null)), userEntry("other", "u1")]
    const all = [...entries, { ...compaction("c", "other"), parentId: "u2" }]
    expect(buildSessionContext(all, "c")).toMatchObject({ entries: ["c"], diagnostics: [{ entryId: "c" }] })
  })

  it("is the last one: older ones give nothing, also inside of what it keeps", () => {
    const older = compaction("old", "u1", { systemMessage: { role: "system", content: "old" } })
    const { entries } = context(around(older, assistantEntry("a3", null), compaction("new", "u2")))
    expect(entries).toEqual(["new", "u2", "a2", "a3", "u3"])
  })

  it("keeps from the nearest entry where an id stands twice on the path", () => {
    const twice = [userEntry("u1", null), userEntry("x", "u1"), userEntry("u2", "x"), compaction("c", "x")]
    expect(context(twice).entries).toEqual(["c", "x", "u2"])
  })

  it("keeps from entries that give no message too", () => {
    const bookkeeping = entry("custom", "mark", null, { customType: "m" })
    expect(context(around(bookkeeping, userEntry("u2b", null), compaction("c", "mark"))).entries).toEqual([
      "c",
      "u2b",
      "u3",
    ])
  })

  it("gives its system message before the summary", () => {
    const systemMessage = { role: "system", content: "rules" }
    const { messages, entries } = context(around(compaction("c", "c", { systemMessage })))
    expect(messages[0]).toBe(systemMessage)
    expect(messages[1]).toMatchObject({ role: "compactionSummary" })
    expect(entries).toEqual(["c", "c", "u3"])
  })

  it("gives null content of its system message as an empty string, and no system message that is none", () => {
    const nothing = { role: "system", content: null }
    expect(context([compaction("c", "c", { systemMessage: nothing })]).messages[0]).toEqual({
      role: "system",
      content: "",
    })
    for (const systemMessage of ["text", 5, null, []])
      expect(context([compaction("c", "c", { systemMessage })]).messages).toHaveLength(1)
  })

  it("of another branch changes nothing", () => {
    const entries = [
      ...chain(userEntry("u1", null), userEntry("u2", null)),
      { ...compaction("c", "c"), parentId: "u1" },
    ]
    expect(buildSessionContext(entries, "u2").entries).toEqual(["u1", "u2"])
  })
})

describe("a provider's own compaction", () => {
  const remote = { provider: "openai", replacementHistory: [{ type: "compaction", encrypted_content: "x" }], extra: 1 }
  const withRemote = (openaiRemoteCompaction: unknown) =>
    around(compaction("c", "u2", { preserveData: { openaiRemoteCompaction } }))

  it("becomes the payload of the summary, and what is kept is still given", () => {
    const { messages, entries } = context(withRemote(remote))
    expect(messages[0]).toMatchObject({ role: "compactionSummary", providerPayload: remote })
    expect((messages[0] as { providerPayload: unknown }).providerPayload).toBe(
      (withRemote(remote)[4] as unknown as { preserveData: { openaiRemoteCompaction: unknown } }).preserveData
        .openaiRemoteCompaction,
    )
    expect(entries).toEqual(["c", "u2", "a2", "u3"])
  })

  it("takes the place of what is kept where the context is for that provider", () => {
    expect(context(withRemote(remote), { provider: "openai" }).entries).toEqual(["c", "u3"])
    expect(context(withRemote(remote), { provider: "anthropic" }).entries).toEqual(["c", "u2", "a2", "u3"])
  })

  it.each(["openai", "anthropic"])(
    "keeps what was said while it was made, where it names no more that it keeps: for %s",
    (provider) => {
      const entriesWith = (providerReplayThroughEntryId: string) => {
        const fields = { preserveData: { openaiRemoteCompaction: remote }, providerReplayThroughEntryId }
        return context(around(compaction("c", "", fields)), { provider })
      }
      expect(entriesWith("u2")).toMatchObject({ entries: ["c", "a2", "u3"], diagnostics: [] })
      expect(entriesWith("a2")).toMatchObject({ entries: ["c", "u3"], diagnostics: [] })
      expect(entriesWith("nowhere")).toMatchObject({
        entries: ["c", "u3"],
        diagnostics: [{ kind: "unknown-compaction-boundary" }],
      })
    },
  )

  it("is followed by what was said while it was made", () => {
    const entriesWith = (providerReplayThroughEntryId: string) => {
      const fields = { preserveData: { openaiRemoteCompaction: remote }, providerReplayThroughEntryId }
      return context(around(compaction("c", "u2", fields)), { provider: "openai" }).entries
    }
    expect(entriesWith("u2")).toEqual(["c", "a2", "u3"])
    expect(entriesWith("nowhere")).toEqual(["c", "u3"])
  })

  it.each([
    { ...remote, provider: "" },
    { ...remote, provider: 5 },
    { ...remote, replacementHistory: "none" },
    { provider: "openai" },
    "text",
    null,
  ])("counts for nothing where it is not whole: %j", (broken) => {
    const { messages, entries } = context(withRemote(broken), { provider: "openai" })
    expect(messages[0]).not.toHaveProperty("providerPayload")
    expect(entries).toEqual(["c", "u2", "a2", "u3"])
  })

  it("is looked for in no `preserveData` that is none", () => {
    for (const preserveData of [null, "text", []])
      expect(context(around(compaction("c", "u2", { preserveData }))).messages[0]).not.toHaveProperty("providerPayload")
  })
})

describe("a reset boundary", () => {
  const reset = entry("reset_boundary", "r", null)

  it("leaves only what follows it", () => {
    expect(context(around(reset)).entries).toEqual(["u3"])
    expect(context([userEntry("a", null), reset]).entries).toEqual([])
  })

  it("after a compaction leaves the summary out too", () => {
    expect(context([...around(compaction("c", "u2")), reset, userEntry("u4", null)]).entries).toEqual(["u4"])
  })

  it("before a compaction has no say any more, also among what that keeps", () => {
    const entries = [userEntry("u1", null), reset, userEntry("u2", null), compaction("c", "u2"), userEntry("u3", null)]
    expect(context(entries).entries).toEqual(["c", "u2", "u3"])
    const kept = [userEntry("u1", null), reset, userEntry("u2", null), compaction("c", "u1"), userEntry("u3", null)]
    expect(context(kept).entries).toEqual(["c", "u1", "u2", "u3"])
  })

  it("is the last of several", () => {
    const second = entry("reset_boundary", "r2", null)
    expect(context([userEntry("a", null), reset, userEntry("b", null), second, userEntry("c", null)]).entries).toEqual([
      "c",
    ])
  })
})
