import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import { EntryTree } from "@treelog/session-core/adapter"
import {
  assistantEntry,
  brokenEntryList,
  chain,
  deepFreeze,
  entryList,
  tries,
  userEntry,
} from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const branches = [
  ...chain(userEntry("u1", null), assistantEntry("a1", null), userEntry("u2", null)),
  userEntry("u3", "a1"),
  assistantEntry("a3", "u3"),
]

function pathTo(entries: readonly SessionEntry[], id: string): SessionEntry[] {
  const tree = new EntryTree(entries)
  return tree.pathTo(tree.ordinalOf(id) ?? -1).map((ordinal) => entries[ordinal] as SessionEntry)
}

describe("buildSessionContext", () => {
  it("is empty for the leaf null, and for no entries", () => {
    const empty = {
      messages: [],
      entries: [],
      thinkingLevel: "off",
      model: null,
      models: {},
      mode: "none",
      injectedTtsrRules: [],
      diagnostics: [],
    }
    expect(buildSessionContext(branches, null)).toEqual(empty)
    expect(buildSessionContext([])).toEqual(empty)
    expect(buildSessionContext([], "x")).toEqual(empty)
  })

  it("is that of the way from the root to the leaf", () => {
    expect(buildSessionContext(branches, "u2").entries).toEqual(["u1", "a1", "u2"])
    expect(buildSessionContext(branches, "a3").entries).toEqual(["u1", "a1", "u3", "a3"])
    expect(buildSessionContext(branches, "u1").entries).toEqual(["u1"])
  })

  it("is that of the last entry for a leaf that is undefined or unknown", () => {
    const last = buildSessionContext(branches, "a3")
    expect(buildSessionContext(branches)).toEqual(last)
    expect(buildSessionContext(branches, undefined)).toEqual(last)
    expect(buildSessionContext(branches, "unknown")).toEqual(last)
    expect(buildSessionContext(branches, "__proto__")).toEqual(last)
  })

  it("works on frozen entries of any kind and any links, and changes none", () => {
    fc.assert(
      fc.property(fc.oneof(entryList, brokenEntryList), (entries) => {
        const before = JSON.stringify(entries)
        deepFreeze(entries)
        for (const { id } of entries) {
          const { messages, entries: ids } = buildSessionContext(entries, id)
          expect(ids).toHaveLength(messages.length)
        }
        expect(JSON.stringify(entries)).toBe(before)
      }),
      { numRuns: tries(100) },
    )
  })

  it("does not depend on entries off the path", () => {
    fc.assert(
      fc.property(entryList, fc.nat(), fc.func(fc.boolean()), (entries, pick, keep) => {
        const leaf = entries[pick % entries.length]?.id ?? ""
        const path = pathTo(entries, leaf)
        const some = entries.filter((entry) => path.includes(entry) || keep(entry.id))
        const expected = buildSessionContext(path, leaf)
        expect(buildSessionContext(entries, leaf)).toEqual(expected)
        expect(buildSessionContext(some, leaf)).toEqual(expected)
      }),
      { numRuns: tries(200) },
    )
  })

  it("gives messages in the order of their entries on the path", () => {
    fc.assert(
      fc.property(entryList, (entries) => {
        const leaf = entries.at(-1)?.id ?? ""
        const order = pathTo(entries, leaf).map(({ id }) => id)
        const places = buildSessionContext(entries).entries.map((id) => order.indexOf(id))
        const rest = places.filter((place) => order[place] !== order[places[0] ?? -1])
        expect(rest).toEqual([...rest].sort((a, b) => a - b))
      }),
      { numRuns: tries(100) },
    )
  })
})
