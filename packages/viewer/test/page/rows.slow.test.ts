import { bytesOf, chain, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { branchPath, PageSession, rowsOfTree } from "./door.js"

function sessionOf(...entries: object[]): PageSession {
  const session = new PageSession("one")
  session.push(bytesOf(sessionText(testHeader(), ...entries)).slice())
  session.settle(true)
  return session
}

const none = new Set<number>()

test("Rows of the tree are made of a chain of 30,000, and end where entries go in circles.", () => {
  const deep = sessionOf(...chain(...Array.from({ length: 30_000 }, (_, index) => userEntry(`e${index}`, null))))
  expect(rowsOfTree(deep, "all", none, none)).toHaveLength(30_000)
  expect(branchPath(deep, deep.leaf())).toHaveLength(30_000)
  const circle = sessionOf(userEntry("a", "b"), userEntry("b", "a"), userEntry("c", "c"))
  expect(rowsOfTree(circle, "all", none, none)).toHaveLength(3)
})
