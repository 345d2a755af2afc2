import { isDeepStrictEqual } from "node:util"
import { buildSessionContext, isEntry, type Message, type SessionEntry } from "@treelog/session-core"
import { allKinds, generateSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { asPiContext, leavesOf, type Outline, outlineOf, plainContext } from "./as-pi-sees.js"
import { openCopyInPi, pi } from "./pi.js"
import { openWorkshop } from "./workshop.js"

const PLAIN = { style: "pi", entries: 600, compactions: 4, branching: 0.3, edits: 0, imageBytes: 2_000 } as const

describe("a session that pi wrote", () => {
  test.each([1, 2, 3, 4, 5, 6])("gives pi's context on every leaf (seed %i)", async (seed) => {
    const { sessions, write } = openWorkshop()
    const path = write("s.jsonl", generateSession({ ...PLAIN, seed }))
    const theirs = openCopyInPi(path).getEntries()
    const ours = await sessions.open(path, { access: "read" })
    const leaves = leavesOf(theirs)
    expect(leaves.length).toBeGreaterThan(3)
    for (const leafId of leaves) {
      const expected = plainContext(pi.buildSessionContext(theirs, leafId))
      expect(asPiContext(ours.buildSessionContext({ leafId }))).toEqual(expected)
    }
  })

  test.each(["pi", "pi-v1", "pi-migrated"] as const)("has pi's tree, labels, name and leaf (%s)", async (style) => {
    const { sessions, write } = openWorkshop()
    const path = write("s.jsonl", generateSession({ ...PLAIN, style, seed: 11 }))
    const ours = await sessions.open(path, { access: "read" })
    const theirs = openCopyInPi(path)
    // The ids that a v1 session gets are each program's own.
    const seen = (node: Outline): unknown => (style === "pi-v1" ? node.depth : node)
    expect(outlineOf(ours.getTree()).map(seen)).toEqual(outlineOf(theirs.getTree()).map(seen))
    expect(ours.getSessionName()).toBe(theirs.getSessionName())
    if (style !== "pi-v1") expect(ours.getLeafId()).toBe(theirs.getLeafId())
  })

  test("gives pi's context at every single entry, and at none", () => {
    const entries = [...generateSession({ ...PLAIN, entries: 150, seed: 21 })].slice(1).map(parse)
    for (const leafId of [...entries.map(({ id }) => id), null, undefined, "no such entry"]) {
      const expected = plainContext(pi.buildSessionContext(entries, leafId))
      expect(asPiContext(buildSessionContext(entries, leafId))).toEqual(expected)
    }
  })
})

describe("where FORMAT.md, section 6, differs from pi 0.74", () => {
  const entries = allKinds("pi").slice(1).map(parse)
  const until = (test: (entry: SessionEntry) => boolean): SessionEntry[] =>
    entries.slice(0, entries.findIndex(test) + 1)
  const both = (list: SessionEntry[]) => ({
    ours: asPiContext(buildSessionContext(list)),
    theirs: plainContext(pi.buildSessionContext(list)),
  })

  test("nothing differs before the first of these kinds", () => {
    const { ours, theirs } = both(
      entries.slice(
        0,
        entries.findIndex(({ type }) => type === "reset_boundary"),
      ),
    )
    expect(ours.messages.length).toBeGreaterThan(30)
    // `attribution` (xcsh) is kept on custom messages; pi does not know the field.
    expect(ours).toEqual({ ...theirs, messages: theirs.messages.map(attributed) })
  })

  test("a reset boundary (omp) leaves out what precedes it; pi does not know it", () => {
    const { ours, theirs } = both(until(({ type }) => type === "reset_boundary"))
    expect(ours.messages).toEqual([])
    expect(theirs.messages.length).toBeGreaterThan(30)
  })

  test("a thinking level of null means off; pi passes null on", () => {
    const { ours, theirs } = both(until((entry) => "thinkingLevel" in entry && entry.thinkingLevel === null))
    expect(ours.thinkingLevel).toBe("off")
    expect(theirs.thinkingLevel).toBeNull()
  })

  test("a context edit (pi 1.x) replaces or omits a message; pi 0.74 does not know it", () => {
    const all = until(({ type }) => type === "context_edit")
    const [earlier, edit] = [all.slice(0, -1), all.at(-1)]
    const target = [...earlier].reverse().find((entry) => isEntry(entry, "message") && entry.message.role === "user")
    const before = both(earlier)
    const after = both([...earlier, { ...edit, targetId: target?.id } as SessionEntry])
    expect(after.theirs).toEqual(before.theirs)
    const changed = after.ours.messages.filter(
      (message, index) => !isDeepStrictEqual(message, before.ours.messages[index]),
    )
    expect(changed).toEqual([expect.objectContaining({ role: "user", content: "Shorter." })])
  })

  test("a compaction's system message and its provider's own history are kept; pi 0.74 drops both", () => {
    const { ours, theirs } = both(until(({ type }) => type === "compaction"))
    const [system, summary, ...kept] = ours.messages
    expect(system).toMatchObject({ role: "system", content: "You are a coding assistant." })
    expect(summary).toMatchObject({ ...theirs.messages[0], providerPayload: { provider: "openai" } })
    // What the compaction has of them is not given again.
    expect(kept).toHaveLength(theirs.messages.slice(1).filter(({ role }) => String(role) !== "system").length)
  })

  test("null and missing content becomes empty content; pi passes it on", () => {
    const { ours, theirs } = both(entries)
    expect(ours.messages.slice(-3).map(contentOf)).toEqual([[], [], []])
    expect(theirs.messages.slice(-3).map(contentOf)).toEqual([null, null, undefined])
  })

  test("a model change of omp (`model` alone) sets the model; pi reads it as undefined", () => {
    const model = "openai/gpt-5-mini"
    const change = {
      type: "model_change",
      id: "0000000a",
      parentId: null,
      timestamp: "2026-03-02T09:00:00.000Z",
      model,
    }
    const { ours, theirs } = both([change])
    expect(ours.model).toEqual({ provider: "openai", modelId: "gpt-5-mini" })
    expect(theirs.model).toEqual({ provider: undefined, modelId: undefined })
  })
})

function parse(line: string): SessionEntry {
  return JSON.parse(line) as SessionEntry
}

function attributed(message: Message): Message {
  return "customType" in message && message.customType === "note" ? { ...message, attribution: "agent" } : message
}

function contentOf(message: Message): unknown {
  return "content" in message ? message.content : undefined
}
