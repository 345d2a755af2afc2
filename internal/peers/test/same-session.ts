import type { Session } from "@treelog/session-core"
import { expect } from "vitest"
import { asPiContext, leavesOf, outlineOf, plainContext } from "./as-pi-sees.js"
import { type PiSession, pi } from "./pi.js"

/** Everything that both programs say of a session is the same: entries, leaf, tree, labels, name, and the context on every leaf. */
export function expectSameSession(ours: Session, theirs: PiSession): void {
  expectSameEntries(ours, theirs)
  expect(asPiContext(ours.buildSessionContext())).toEqual(plainContext(theirs.buildSessionContext()))
  const entries = theirs.getEntries()
  for (const leafId of leavesOf(entries)) {
    const expected = plainContext(pi.buildSessionContext(entries, leafId))
    expect(asPiContext(ours.buildSessionContext({ leafId }))).toEqual(expected)
  }
}

/** The same, but for the contexts. */
export function expectSameEntries(ours: Session, theirs: PiSession): void {
  expect(ours.getHeader()).toEqual(theirs.getHeader())
  expect(ours.getEntries()).toEqual(theirs.getEntries())
  expect(ours.getLeafId()).toBe(theirs.getLeafId())
  expect(ours.getBranch()).toEqual(theirs.getBranch())
  expect(outlineOf(ours.getTree())).toEqual(outlineOf(theirs.getTree()))
  // pi reads a name without the space around it.
  expect(ours.getSessionName()?.trim()).toBe(theirs.getSessionName())
}
