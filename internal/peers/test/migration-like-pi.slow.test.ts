import { readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import type { SessionEntry } from "@treelog/session-core"
import { allKinds, generateSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { asPiContext, plainContext } from "./as-pi-sees.js"
import { openCopyInPi, pi } from "./pi.js"
import { expectSameSession } from "./same-session.js"
import { openWorkshop } from "./workshop.js"

const V1 = { style: "pi-v1", entries: 500, compactions: 4, imageBytes: 2_000 } as const

describe("the migration of a v1 session", () => {
  test.each([1, 2, 3])("makes pi's chain and pi's context (seed %i)", async (seed) => {
    const { sessions, write } = openWorkshop()
    const path = write("v1.jsonl", generateSession({ ...V1, seed }))
    const ours = await sessions.open(path, { access: "read" })
    const theirs = openCopyInPi(path)
    expect(chainOf(ours.getEntries())).toEqual(chainOf(theirs.getEntries()))
    expect(ours.getHeader()).toEqual(theirs.getHeader())
    expect(asPiContext(ours.buildSessionContext())).toEqual(plainContext(theirs.buildSessionContext()))
  })

  test("does with every kind what pi does", async () => {
    const { sessions, write } = openWorkshop()
    const path = write("v1.jsonl", allKinds("pi-v1"))
    const ours = await sessions.open(path, { access: "read" })
    const theirs = openCopyInPi(path)
    expect(chainOf(ours.getEntries())).toEqual(chainOf(theirs.getEntries()))
    const rolesOf = (messages: readonly { role: string }[]): string[] => messages.map(({ role }) => role)
    // The system message that the compaction folded is not given again.
    const all = rolesOf(theirs.buildSessionContext().messages)
    const theirRoles = all.filter((_, index) => index !== all.indexOf("system"))
    expect(rolesOf(ours.buildSessionContext().messages)).toEqual(theirRoles)
    expect(rolesOf(ours.buildSessionContext().messages)).not.toContain("hookMessage")
  })

  test.each([0, 1, 2, 5, 999, -1, 1.5, "2"])("keeps what pi keeps from a compaction's index of %j", async (index) => {
    const { sessions, write } = openWorkshop()
    const lines = [...generateSession({ ...V1, entries: 6, compactions: 0, seed: 4 })]
    const fields = { summary: "What was.", firstKeptEntryIndex: index, tokensBefore: 9 }
    const compaction = { type: "compaction", timestamp: "2026-03-03T09:00:00.000Z", ...fields }
    const path = write("v1.jsonl", [...lines, `${JSON.stringify(compaction)}\n`])
    const ours = await sessions.open(path, { access: "read" })
    const theirs = openCopyInPi(path)
    expect(asPiContext(ours.buildSessionContext())).toEqual(plainContext(theirs.buildSessionContext()))
  })

  test("is written so that pi opens it as it is, with the old bytes beside it", async () => {
    const { sessions, write } = openWorkshop()
    const path = write("v1.jsonl", generateSession({ ...V1, seed: 5 }))
    const old = readFileSync(path, "utf8")
    const read = await sessions.open(path, { access: "read" })
    expect(readFileSync(path, "utf8")).toBe(old)
    const ours = await sessions.open(path)
    await ours.close()
    expect(readdirSync(dirname(path)).filter((name) => name.includes("v1.jsonl."))).toEqual(["v1.jsonl.v1.bak"])
    expect(readFileSync(`${path}.v1.bak`, "utf8")).toBe(old)
    const migrated = readFileSync(path, "utf8")
    const theirs = pi.SessionManager.open(path)
    expect(readFileSync(path, "utf8")).toBe(migrated)
    expectSameSession(ours, theirs)
    expect(read.getEntries()).toEqual(theirs.getEntries())
  })

  test("leaves a session alone that pi migrated", async () => {
    const { sessions, write } = openWorkshop()
    const path = write("v1.jsonl", generateSession({ ...V1, seed: 6 }))
    const theirs = pi.SessionManager.open(path)
    const byPi = readFileSync(path, "utf8")
    const ours = await sessions.open(path)
    await ours.close()
    expect(readFileSync(path, "utf8")).toBe(byPi)
    expectSameSession(ours, theirs)
  })
})

/** The entries with places for ids, since ids are each program's own. */
function chainOf(entries: readonly SessionEntry[]): unknown[] {
  const place = new Map(entries.map(({ id }, index) => [id, index]))
  return entries.map((entry) => {
    const { id: _, parentId, firstKeptEntryId, ...rest } = entry as SessionEntry & { firstKeptEntryId?: string }
    const kept = firstKeptEntryId === undefined ? {} : { keptFrom: place.get(firstKeptEntryId) }
    return { ...rest, parent: parentId === null ? null : place.get(parentId), ...kept }
  })
}
