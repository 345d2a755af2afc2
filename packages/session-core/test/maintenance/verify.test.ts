import { verifySession } from "@treelog/session-core/maintenance"
import {
  assistantEntry,
  bytesOf,
  entry,
  sessionText,
  testHeader,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, keyOf } from "../session/given-manager.js"
import { putStored } from "../session/stored-bytes.js"

const KEY = "memory:/project/test-session"

async function verified(...pieces: Parameters<typeof bytesOf>) {
  const { sessions, storage } = givenManager()
  await putStored(storage, KEY, ...pieces)
  return verifySession(sessions, KEY)
}

describe("verify", () => {
  it("finds nothing in a sound session, and says what it is", async () => {
    const text = sessionText(testHeader(), userEntry("a", null), assistantEntry("b", "a"))
    expect(await verified(text)).toEqual({
      path: KEY,
      id: "test-session",
      version: 3,
      lines: 3,
      entries: 2,
      size: text.length,
      ok: true,
      diagnostics: [],
    })
  })

  it("finds nothing in what treelog wrote, compactions with their settings included", async () => {
    const { sessions } = givenManager()
    const session = await sessions.create("/project")
    const first = session.appendMessage(userMessage("a"))
    session.appendModelChange("p", "m", "smol")
    session.append({ type: "mode_change", mode: "plan", data: { a: 1 } })
    session.append({ type: "ttsr_injection", injectedRules: ["r"] })
    session.appendCompaction("s", first, 1)
    session.appendLabelChange(first, "x")
    await session.close()
    expect((await verifySession(sessions, keyOf(session))).diagnostics).toEqual([])
  })

  it("names each fault with line and offset, in the order of the file", async () => {
    const lines = [
      JSON.stringify(testHeader()),
      JSON.stringify(userEntry("a", null)),
      "{broken",
      JSON.stringify(userEntry("a", "a")),
      JSON.stringify(userEntry("orphan", "gone")),
      JSON.stringify(entry("label", "l", "a", { targetId: "nobody", label: "x" })),
      JSON.stringify(entry("compaction", "c", "a", { summary: "s", firstKeptEntryId: "nobody", tokensBefore: 1 })),
      JSON.stringify(entry("leaf", "leaf", "c", { targetId: "nobody" })),
      JSON.stringify(entry("message", "m", "c", { message: null })),
      JSON.stringify(testHeader()),
      JSON.stringify(userEntry("x", "y")) + JSON.stringify(userEntry("y", "x")),
      '{"torn',
    ]
    const { ok, diagnostics } = await verified(lines.join("\n"))
    expect(ok).toBe(false)
    expect(diagnostics.map(({ kind, line }) => [kind, line])).toEqual([
      ["duplicate-id", 2],
      ["invalid-json", 3],
      ["self-parent", 4],
      ["missing-parent", 5],
      ["unknown-label-target", 6],
      ["unknown-compaction-boundary", 7],
      ["unknown-leaf-target", 8],
      ["invalid-field", 9],
      ["extra-header", 10],
      ["glued-records", 11],
      ["cycle", 11],
      ["torn-line", 12],
    ])
    const offsets = lines.map((_, index) => bytesOf(lines.slice(0, index).join("\n")).length + (index > 0 ? 1 : 0))
    for (const { line, offset } of diagnostics) expect(offset).toBe(offsets[(line ?? 0) - 1])
  })

  it("compares the settings that a compaction carries with those of its path", async () => {
    const settings = {
      thinkingLevel: "off",
      model: null,
      models: {},
      mode: "none",
      injectedTtsrRules: [],
      defaultModelIsExplicit: false,
    }
    const compaction = (fields: object) =>
      sessionText(
        testHeader(),
        entry("compaction", "c", null, { summary: "s", firstKeptEntryId: "c", tokensBefore: 1, ...fields }),
      )
    expect((await verified(compaction({ settings }))).diagnostics).toEqual([])
    for (const wrong of [{ ...settings, mode: "plan" }, { ...settings, extra: 1 }, {}, null, "text"])
      expect((await verified(compaction({ settings: wrong }))).diagnostics).toMatchObject([
        { kind: "checkpoint-mismatch", line: 2 },
      ])
  })

  it("takes an old version and a missing last line end for no damage", async () => {
    const text = sessionText(testHeader({ version: 2 }), userEntry("a", null)).slice(0, -1)
    const { ok, diagnostics } = await verified(text)
    expect(ok).toBe(true)
    expect(diagnostics.map(({ kind, line }) => [kind, line])).toEqual([
      ["old-version", 1],
      ["unterminated-line", 2],
    ])
  })

  it("never throws for odd values where ids are expected", async () => {
    const odd = { toString: 1, valueOf: 1 }
    const { entries, ok } = await verified(
      sessionText(
        testHeader(),
        entry("label", "l", null, { targetId: odd, label: odd }),
        entry("leaf", "f", null, { targetId: odd }),
        entry("compaction", "c", null, { firstKeptEntryId: odd, settings: odd, systemMessage: odd, preserveData: odd }),
        entry("context_edit", "e", null, { targetId: odd, replacement: odd }),
        { ...userEntry("a", null), parentId: odd, timestamp: odd },
      ),
    )
    expect([entries, ok]).toEqual([5, false])
  })
})
