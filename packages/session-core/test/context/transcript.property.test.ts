import { buildSessionContext, buildTranscript } from "@treelog/session-core"
import { assistantEntry, chain, entry, entryList, tries, userEntry } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const path = chain(
  userEntry("u1", null),
  assistantEntry("a1", null),
  entry("model_change", "m", null, { provider: "p", modelId: "x" }),
  userEntry("u2", null),
  entry("compaction", "c", null, { summary: "s", firstKeptEntryId: "u2", tokensBefore: 100 }),
  assistantEntry("a2", null),
  entry("context_edit", "e1", null, { targetId: "u2", replacement: null }),
  entry("context_edit", "e2", null, { targetId: "a2", replacement: { content: "other" } }),
)
const items = buildTranscript(path)
const byId = new Map(items.map((item) => [item.entry.id, item]))

describe("buildTranscript", () => {
  it("has every entry of the path, in order", () => {
    expect(items.map(({ entry }) => entry)).toEqual(path)
  })

  it("reports what the model still gets", () => {
    const inContext = items.filter((item) => item.inContext).map(({ entry }) => entry.id)
    expect(inContext).toEqual(["a2"])
    expect(
      buildTranscript(path.slice(0, 6))
        .filter((item) => item.inContext)
        .map(({ entry }) => entry.id),
    ).toEqual(["u2", "a2"])
  })

  it("shows what was said first, and that it was edited", () => {
    expect(byId.get("u2")).toMatchObject({ edited: "omitted", message: { content: "u2" } })
    expect(byId.get("a2")).toMatchObject({ edited: "replaced", message: { content: [{ text: "a2" }] } })
    expect(byId.get("u1")).not.toHaveProperty("edited")
  })

  it("has what an edit omits that precedes a reset, while its target follows it", () => {
    const edit = entry("context_edit", "e", null, { targetId: "u", replacement: null })
    const line = chain(edit, entry("reset_boundary", "r", null, {}), userEntry("u", null))
    expect(buildSessionContext(line).entries).toEqual(["u"])
    expect(buildTranscript(line).filter((item) => item.inContext)).toMatchObject([{ entry: { id: "u" } }])
  })

  it("agrees with the context on what is in it, for entries of any kind", () => {
    fc.assert(
      fc.property(entryList, (entries) => {
        const line = chain(...entries)
        const compactions = new Set(line.filter(({ type }) => type === "compaction").map(({ id }) => id))
        const given = buildSessionContext(line).entries.filter((id) => !compactions.has(id))
        expect(
          buildTranscript(line)
            .filter((item) => item.inContext)
            .map(({ entry }) => entry.id),
        ).toEqual(given)
      }),
      { numRuns: tries(100) },
    )
  })

  it("is empty for no entries", () => {
    expect(buildTranscript([])).toEqual([])
  })
})
