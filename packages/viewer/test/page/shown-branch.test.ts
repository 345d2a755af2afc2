import { bytesOf, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { PageSession, ShownBranch } from "./door.js"

const lines = (...entries: object[]) => bytesOf(entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")).slice()

/** A question with two answers to it, the second of which is the newest. */
function forked(): { session: PageSession; branch: ShownBranch; ids: () => string[] } {
  const session = new PageSession("one")
  session.push(bytesOf(sessionText(testHeader())).slice())
  session.push(lines(userEntry("root", null), userEntry("left", "root"), userEntry("right", "root")))
  const branch = new ShownBranch(session)
  return { session, branch, ids: () => branch.path.map((ordinal) => session.summary(ordinal).id) }
}

describe("The branch that is shown", () => {
  test("is the one that the session stands on, and goes with it as it grows.", () => {
    const { session, branch, ids } = forked()
    expect(ids()).toEqual(["root", "right"])
    session.push(lines(userEntry("other", "left")))
    branch.grow()
    expect(ids()).toEqual(["root", "left", "other"])
    expect(branch.rows.rows).toHaveLength(3)
  })

  test("stays the one that was chosen, and gets longer with it alone.", () => {
    const { session, branch, ids } = forked()
    branch.choose(1)
    expect(ids()).toEqual(["root", "left"])
    session.push(lines(userEntry("further right", "right")))
    branch.grow()
    expect(ids()).toEqual(["root", "left"])
    session.push(lines(userEntry("further left", "left")))
    branch.grow()
    expect(ids()).toEqual(["root", "left", "further left"])
  })

  test("is not another one where the entry that is chosen is on it already.", () => {
    const { branch, ids } = forked()
    branch.choose(1)
    branch.choose(0)
    expect(ids()).toEqual(["root", "left"])
  })

  test("has a context of its own, which is worked out once for as long as it is the same.", () => {
    const { session, branch } = forked()
    const first = branch.context()
    expect(first.messages).toHaveLength(2)
    expect(branch.context()).toBe(first)
    session.push(lines(userEntry("more", "right")))
    branch.grow()
    expect(branch.context().messages).toHaveLength(3)
  })

  test("has a tree around it, of which branches can be folded up and filtered.", () => {
    const { branch } = forked()
    expect(branch.tree).toHaveLength(3)
    branch.setFilter("labeled-only")
    expect(branch.tree).toEqual([])
    branch.setFilter("no-tools")
    branch.setFolded(1, true)
    expect(branch.isFolded(1)).toBe(true)
    expect(branch.tree.find(({ ordinal }) => ordinal === 1)).toMatchObject({ begins: true, isFolded: true })
  })

  test("has another one beside it from where they diverge, which grows, and goes when one continues the other.", () => {
    const { session, branch, ids } = forked()
    const idsOf = (side: "left" | "right") =>
      branch.beside?.[side].rows.map(({ ordinal }) => session.summary(ordinal).id)
    expect(branch.setBeside(1)).toBe(true)
    expect([idsOf("left"), idsOf("right")]).toEqual([["right"], ["left"]])
    session.push(lines(userEntry("further left", "left"), userEntry("further right", "right")))
    branch.grow()
    expect([idsOf("left"), idsOf("right")]).toEqual([
      ["right", "further right"],
      ["left", "further left"],
    ])
    // An entry of the branch beside it does not make it another one.
    branch.choose(1)
    expect(ids()).toEqual(["root", "right", "further right"])
    expect(branch.setBeside(2)).toBe(false)
    expect(branch.beside).toBeUndefined()
  })
})
