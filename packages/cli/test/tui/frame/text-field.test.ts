import fc from "fast-check"
import { expect, test } from "vitest"
import type { KeyName, KeyPress } from "../../door.js"
import { editField, fieldWith, type TextField } from "../../door.js"

const NAMES: readonly KeyName[] = [
  ...(["backspace", "alt-backspace", "left", "right", "home", "end"] as const),
  ...(["ctrl-a", "ctrl-e", "ctrl-u", "ctrl-w"] as const),
]
const key = (name: KeyName): KeyPress => ({ kind: "key", name })
const text = (written: string): KeyPress => ({ kind: "text", text: written, isPasted: false })
const edited = (field: TextField, ...presses: readonly KeyPress[]): TextField =>
  presses.reduce((now, press) => editField(now, press) ?? now, field)

test.each([
  ["backspace", "ab cd", "ab c"],
  ["backspace", "a👩‍👧", "a"],
  ["backspace", "", ""],
  ["alt-backspace", "ab cd ", "ab "],
  ["ctrl-w", "ab cd ", "ab "],
  ["ctrl-u", "ab cd", ""],
] as const)("%s in %j leaves %j", (name, before, after) => {
  expect(editField(fieldWith(before), key(name))).toEqual(fieldWith(after))
})

test("what is typed goes where the cursor stands, which moves by whole characters", () => {
  const field = edited(fieldWith("a👩‍👧b"), key("left"), key("left"), text("x"))
  expect(field).toEqual({ text: "ax👩‍👧b", cursor: 2 })
  expect(edited(field, key("right"), text("y"), key("home"), text("z"))).toEqual({ text: "zax👩‍👧yb", cursor: 1 })
})

test("keys that a field does not know are left to others", () => {
  expect(editField(fieldWith("a"), key("up"))).toBeUndefined()
  expect(editField(fieldWith("a"), key("enter"))).toBeUndefined()
})

test("whatever is pressed, the cursor stands between two characters, and typing and erasing cancel out", () => {
  const press = fc.oneof(
    fc.constantFrom(...NAMES).map(key),
    fc.constantFrom("a", " ", "変", "🎉", "👩‍👧", "é").map(text),
  )
  fc.assert(
    fc.property(fc.array(press, { maxLength: 40 }), (presses) => {
      const field = edited(fieldWith("start 変更"), ...presses)
      const places = [...new Intl.Segmenter().segment(field.text)].map(({ index }) => index)
      expect([...places, field.text.length]).toContain(field.cursor)
      expect(edited(field, text("x"), key("backspace"))).toEqual(field)
    }),
  )
})
