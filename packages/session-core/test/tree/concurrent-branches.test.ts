import { concurrentBranches, EntryTree } from "@treelog/session-core/adapter"
import { describe, expect, test } from "vitest"

/** Entries as `id<parent`, of the user where the id begins with `u`, of the model with `a`, and no message otherwise. */
function branchesOf(leaf: string, ...entries: readonly string[]): (string | undefined)[] {
  const heads = entries.map((entry) => {
    const [id = "", parentId = null] = entry.split("<")
    return { type: "message", id, parentId, timestamp: "2026-03-01T10:00:00.000Z" }
  })
  const roles = heads.map(({ id }) => ({ u: "user", a: "assistant" })[id.slice(0, 1)])
  return concurrentBranches(new EntryTree(heads), leaf, roles).map(({ entryId }) => entryId)
}

describe("answers of another process", () => {
  test("Branches that were written in turns are concurrent: the one that is not on the way to the leaf is named.", () => {
    expect(branchesOf("a5", "u1", "a1<u1", "u2<a1", "u4<a1", "a2<u2", "a4<u4", "u5<a4", "a5<u5")).toEqual(["a2"])
    expect(branchesOf("a2", "u1", "a1<u1", "u2<a1", "u4<a1", "a4<u4", "a2<u2")).toEqual(["a4"])
  })

  test("An answer that comes when the branch has gone on without it is one.", () => {
    expect(branchesOf("a4", "u1", "a1<u1", "x<a1", "u4<x", "a2<a1", "a4<u4")).toEqual(["a2"])
  })

  test("A branch that was left, or begun last, is none, and neither is one without an answer.", () => {
    expect(branchesOf("a3", "u1", "a1<u1", "u2<a1", "a2<u2", "u3<a1", "a3<u3")).toEqual([])
    expect(branchesOf("a2", "u1", "a1<u1", "u2<a1", "a2<u2", "u3<a1", "a3<u3")).toEqual([])
    expect(branchesOf("a4", "u1", "a1<u1", "u2<a1", "u4<a1", "x<u2", "u6<u2", "a4<u4")).toEqual([])
  })

  test("Other roots count as branches of the beginning.", () => {
    expect(branchesOf("a3", "u1", "u2", "a1<u1", "u3<u2", "a3<u3")).toEqual(["a1"])
  })
})
