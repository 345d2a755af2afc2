import { readFileSync } from "node:fs"
import type { Session } from "@treelog/session-core"
import { generateSession, Random } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { asPiContext, leavesOf, plainContext } from "./as-pi-sees.js"
import { grow } from "./grow.js"
import { openCopyInPi, pi } from "./pi.js"
import { expectSameSession } from "./same-session.js"
import { openWorkshop } from "./workshop.js"

describe("pi opens what treelog writes", () => {
  test.each([1, 2, 3, 4, 5])("with the same entries, leaf, tree and contexts (seed %i)", async (seed) => {
    const { sessions } = openWorkshop()
    const session = await sessions.create("/home/dev/shop")
    grow(session, new Random(seed), 150)
    await session.close()
    const theirs = openCopyInPi(fileOf(session))
    expectSameSession(session, theirs)
    expectSameSession(await sessions.open(fileOf(session), { access: "read" }), theirs)
  })

  test("and changes no byte of it", async () => {
    const { sessions } = openWorkshop()
    const session = await sessions.create("/home/dev/shop")
    grow(session, new Random(6), 60)
    await session.close()
    const written = readFileSync(fileOf(session), "utf8")
    const theirs = openCopyInPi(fileOf(session))
    expect(readFileSync(theirs.getSessionFile(), "utf8")).toBe(written)
  })

  test("with the leaf where treelog left it by a persisted branch", async () => {
    const { sessions } = openWorkshop()
    const session = await sessions.create("/home/dev/shop")
    grow(session, new Random(7), 40)
    const target = session.getEntries()[3]?.id ?? ""
    session.branch(target)
    const leaf = session.persistLeaf()
    await session.close()
    const theirs = openCopyInPi(fileOf(session))
    expect(theirs.getLeafId()).toBe(leaf)
    expect(theirs.getEntry(leaf)?.parentId).toBe(target)
    expectSameSession(session, theirs)
  })

  test("with the kinds that only xcsh knows as entries that give nothing", async () => {
    const { sessions } = openWorkshop()
    const session = await sessions.create("/home/dev/shop")
    grow(session, new Random(8), 10)
    session.append({ type: "mode_change", mode: "plan", data: { planFile: "docs/plan.md" } })
    session.append({ type: "ttsr_injection", injectedRules: ["no-any"] })
    session.append({ type: "session_init", systemPrompt: "You are a scout.", task: "look", tools: ["read"] })
    await session.close()
    expectSameSession(session, openCopyInPi(fileOf(session)))
  })
})

describe("pi opens what treelog branched off", () => {
  const shape = { style: "pi", entries: 500, compactions: 4, branching: 0.3, edits: 0, imageBytes: 2_000 } as const

  test.each([1, 2, 3])("a branch, with the same path and context (seed %i)", async (seed) => {
    const { sessions, write } = openWorkshop()
    const source = await sessions.open(write("source.jsonl", generateSession({ ...shape, seed })), { access: "read" })
    const entries = source.getEntries()
    const random = new Random(seed)
    const leaves = [...leavesOf(entries).slice(0, 4), ...Array.from({ length: 4 }, () => random.pick(entries).id)]
    for (const leafId of leaves) {
      const branched = await source.createBranchedSession(leafId)
      await branched.close()
      const theirs = openCopyInPi(fileOf(branched))
      expectSameSession(branched, theirs)
      const withoutLabels = source.getBranch(leafId).filter(({ type }) => type !== "label")
      expect(
        theirs
          .getBranch()
          .slice(0, withoutLabels.length)
          .map(({ id }) => id),
      ).toEqual(withoutLabels.map(({ id }) => id))
      expect(plainContext(theirs.buildSessionContext())).toEqual(asPiContext(source.buildSessionContext({ leafId })))
      for (const { id } of withoutLabels) expect(theirs.getLabel(id)).toBe(source.getLabel(id))
    }
  })

  test("a fork, with all entries, labels and contexts of its source", async () => {
    const { sessions, write } = openWorkshop()
    const path = write("source.jsonl", generateSession({ ...shape, seed: 4 }))
    const forked = await sessions.forkFrom(path, "/home/dev/other")
    await forked.close()
    const theirs = openCopyInPi(fileOf(forked))
    expectSameSession(forked, theirs)
    expect(theirs.getHeader()).toMatchObject({ cwd: "/home/dev/other", parentSession: path, version: 3 })
    expect(theirs.getEntries()).toEqual(openCopyInPi(path).getEntries())
  })

  test("a fork of a v1 session, migrated", async () => {
    const { sessions, write } = openWorkshop()
    const v1 = write("v1.jsonl", generateSession({ ...shape, style: "pi-v1", seed: 5 }))
    const forked = await sessions.forkFrom(v1, "/home/dev/other")
    await forked.close()
    const theirs = openCopyInPi(fileOf(forked))
    expectSameSession(forked, theirs)
    expect(plainContext(theirs.buildSessionContext())).toEqual(plainContext(openCopyInPi(v1).buildSessionContext()))
  })
})

test("the peer is the real pi", () => {
  expect(Object.keys(pi)).toContain("migrateSessionEntries")
})

function fileOf(session: Session): string {
  const path = session.getSessionFile()
  if (path === undefined) throw new Error("The session has no file.")
  return path
}
