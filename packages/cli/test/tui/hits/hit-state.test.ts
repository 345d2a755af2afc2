import { expect, test } from "vitest"
import {
  type HitState,
  hitState,
  indexedMore,
  pressHitKey,
  resizeHits,
  takeHits,
} from "../../../src/tui/hits/hit-state.js"
import { key, text } from "../look.js"
import { answerTo, foundHit } from "./hits.js"

function answered(...minutes: number[]): HitState {
  const state = resizeHits(hitState("", "project"), 10)
  return takeHits(state, answerTo(state.wanted, ...minutes.map((ago) => foundHit("[x]", ago))))
}

test("what is typed is wanted; an answer to something older changes nothing", () => {
  const before = hitState("", "project")
  const typed = pressHitKey(before, text("ne"))
  expect(typed.wanted).toMatchObject({ query: "ne", scope: "project" })
  expect(takeHits(typed, answerTo(before.wanted, foundHit("[x]", 1)))).toBe(typed)
  expect(takeHits(typed, answerTo(typed.wanted, foundHit("[x]", 1))).answer.hits).toHaveLength(1)
})

test("Tab changes the scope", () => {
  const all = pressHitKey(hitState("", "project"), key("tab"))
  expect(all.wanted.scope).toBe("all")
  expect(pressHitKey(all, key("tab")).wanted.scope).toBe("project")
})

test("when more was indexed, the same is asked again, and the selected hit stays selected", () => {
  const moved = pressHitKey(answered(1, 2, 3), key("down"))
  const again = indexedMore(moved, "Indexed 5 of 9 sessions")
  expect(again.wanted).toEqual(moved.wanted)
  expect(again.wanted).not.toBe(moved.wanted)
  const taken = takeHits(again, answerTo(again.wanted, ...[0, 1, 2, 3].map((ago) => foundHit("[x]", ago))))
  expect(taken.answer.hits[taken.window.selected]?.session.id).toBe("s2")
})

test("until the user moves, the first hit is selected", () => {
  const again = indexedMore(answered(1, 2), "")
  const taken = takeHits(again, answerTo(again.wanted, ...[0, 1, 2].map((ago) => foundHit("[x]", ago))))
  expect(taken.window.selected).toBe(0)
})

test("Enter picks the selected hit, but never one of what was typed before", () => {
  expect(pressHitKey(pressHitKey(answered(1, 2), key("down")), key("enter")).picked?.session.id).toBe("s2")
  const waiting = pressHitKey(pressHitKey(answered(1), text("a")), key("enter"))
  expect(waiting.picked).toBeUndefined()
  expect(takeHits(waiting, answerTo(waiting.wanted, foundHit("[a]", 7))).picked?.session.id).toBe("s7")
  expect(pressHitKey(answered(), key("enter"))).toMatchObject({ accepting: undefined })
})

test("near the end of an answer that has more, more is asked for", () => {
  const state = resizeHits(hitState("", "project"), 2)
  const answer = {
    ...answerTo(state.wanted, ...[1, 2, 3, 4, 5, 6, 7].map((ago) => foundHit("[x]", ago))),
    isMore: true,
  }
  const first = takeHits(state, answer)
  expect(first.wanted.limit).toBe(state.wanted.limit)
  expect(pressHitKey(first, key("end")).wanted.limit).toBeGreaterThan(state.wanted.limit)
})
