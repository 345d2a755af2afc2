import { moveSession } from "@treelog/session-core/maintenance"
import { entryList, sessionText, testHeader, tries, unknownFields, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { givenManager, keyOf } from "./given-manager.js"
import { putStored, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"

/** Entries of every kind and what no JSON writer writes twice the same way, each on its line. */
const lines = fc.tuple(entryList, fc.nat(2)).map(([entries, style]) =>
  entries.map((entry) => {
    const text = JSON.stringify(entry)
    if (style === 0) return text
    return style === 1
      ? text.replace(/^\{/, '{ "x-big":12345678901234567890, "x-float":1.0, "2":0, "1":0, ')
      : ` ${text}\t`
  }),
)

const linesOf = async (...stored: Parameters<typeof storedText>) => ((await storedText(...stored)) ?? "").split("\n")

describe("what was stored before", () => {
  it("is byte for byte the same after an append, a move and a fork", async () => {
    await fc.assert(
      fc.asyncProperty(lines, unknownFields, async (before, fields) => {
        const { sessions, storage } = givenManager()
        await putStored(storage, KEY, sessionText({ ...testHeader(), ...fields }, ...before))
        const session = await sessions.open(KEY)
        session.appendMessage(userMessage("next"))
        await session.close()
        const appended = await linesOf(storage, KEY)
        expect(appended.slice(1, before.length + 1)).toEqual(before)

        const fork = await sessions.forkFrom(KEY, "/forked")
        await fork.close()
        const forked = await linesOf(storage, keyOf(fork))
        expect(forked.slice(1)).toEqual(appended.slice(1))
        const moved = await linesOf(storage, await moveSession(sessions, KEY, "/moved"))
        expect(moved.slice(1)).toEqual(appended.slice(1))
        for (const [header] of [forked, moved])
          expect(JSON.parse(header ?? "")).toMatchObject(JSON.parse(JSON.stringify(fields)))
      }),
      { numRuns: tries(60) },
    )
  })

  it("is in a branch of its own byte for byte the same where its parent is", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), async (before, pick) => {
        const { sessions, storage } = givenManager()
        await putStored(storage, KEY, sessionText(testHeader(), ...before))
        const session = await sessions.open(KEY, { access: "read" })
        const leaf = session.getEntries()[pick % before.length]?.id ?? ""
        const branch = await session.createBranchedSession(leaf)
        const stored = await linesOf(storage, keyOf(branch))
        const path = session.getBranch(leaf).filter(({ type }) => type !== "label" && type !== "leaf")
        path.forEach((entry, index) => {
          const now = branch.getEntry(entry.id)
          const isSame = now?.parentId === entry.parentId && JSON.stringify(now) === JSON.stringify(entry)
          const line = before.find((text) => JSON.parse(text).id === entry.id)
          if (isSame) expect(stored[index + 1]).toBe(line)
          const { parentId: _, firstKeptEntryId: _kept, ...own } = { ...now } as Record<string, unknown>
          const { parentId: _old, firstKeptEntryId: _oldKept, ...source } = { ...entry } as Record<string, unknown>
          expect(JSON.stringify(own)).toBe(JSON.stringify(source))
        })
      }),
      { numRuns: tries(60) },
    )
  })
})
