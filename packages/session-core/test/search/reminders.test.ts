import fc from "fast-check"
import { expect, test } from "vitest"
import { splitReminders } from "../door.js"

test.each([
  ["plain", "plain", ""],
  ["<system-reminder>a</system-reminder>b", "b", "<system-reminder>a</system-reminder>"],
  [
    "x <environment_context>a</environment_context> y <current_datetime>now</current_datetime>",
    "x  y",
    "<environment_context>a</environment_context>\n<current_datetime>now</current_datetime>",
  ],
  ["<system-reminder>never closed", "<system-reminder>never closed", ""],
  [
    "<system-reminder>a <system-reminder>b</system-reminder> c",
    "c",
    "<system-reminder>a <system-reminder>b</system-reminder>",
  ],
])("of %j the prompt is %j", (text, said, reminders) => {
  expect(splitReminders(text)).toEqual({ said, reminders })
})

test("loses no character but the white space around the prompt", () => {
  const pieces = fc.constantFrom(
    "<system-reminder>",
    "</system-reminder>",
    "a",
    " ",
    "<environment_context>",
    "</environment_context>",
  )
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join("")
      const { said, reminders } = splitReminders(text)
      const count = (of: string) => [...of].filter((sign) => /\S/.test(sign)).length
      expect(count(said) + count(reminders)).toBe(count(text))
    }),
  )
})
