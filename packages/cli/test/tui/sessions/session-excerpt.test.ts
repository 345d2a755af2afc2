import { cleanLine } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"
import { widthOf } from "../../../src/render/width.js"
import { excerptOf } from "../../../src/tui/sessions/session-line.js"
import { sessionRow } from "../../../src/tui/sessions/session-row.js"
import { LOOK } from "../look.js"
import { info, saidIn } from "./infos.js"

function excerpt(name: string, said: readonly string[], terms: readonly string[], room: number): string {
  return excerptOf(
    sessionRow(info("a", 1, { name }), false),
    { terms, said: saidIn({ a: said }, terms) },
    LOOK.style,
    room,
  )
}

test("what the title shows needs no excerpt", () => {
  expect(excerpt("The needle", ["the needle again"], ["needle"], 100)).toBe("")
})

test("a text that has what the title lacks is shown, from a little before it", () => {
  const said = ["a needle", `${"x".repeat(500)} and the thread`]
  expect(excerpt("The needle", said, ["needle", "thread"], 40)).toBe("…and the thread")
})

test("what was found nowhere has no excerpt", () => {
  expect(excerpt("Title", ["a prompt"], ["needle"], 100)).toBe("")
})

test("an excerpt is a part of a text, no wider than there is room, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 20, max: 50 }), (prompt, room) => {
      const text = `${prompt}needle${prompt}`
      const shown = excerpt("Title", [text], ["needle"], room)
      expect(widthOf(shown)).toBeLessThanOrEqual(room)
      expect(cleanLine(text).replace(/[\s…]/gu, "")).toContain(shown.replace(/[\s…]/gu, ""))
    }),
  )
})
