import { expect, test } from "vitest"
import type { KeyPress } from "../../../src/tui/frame/key-reader.js"
import { MessagePicker } from "../../../src/tui/messages/message-picker.js"
import { key, LOOK, text } from "../look.js"

const MESSAGES = ["Add a field", "Mend the 変更", "Mend it again 🎉"].map((said, at) => ({
  entryId: `id${at}`,
  text: said,
  timestamp: "",
  isActive: at !== 1,
}))

function picker(...presses: readonly KeyPress[]): MessagePicker<(typeof MESSAGES)[number]> {
  const made = new MessagePicker(MESSAGES, LOOK)
  made.resize({ columns: 50, rows: 10 })
  for (const press of presses) made.press(press)
  return made
}

const lines = (made: ReturnType<typeof picker>) => made.frame({ columns: 50, rows: 10 }).lines

test("lists the messages in their order, and selects the last one", () => {
  expect(lines(picker())).toEqual([
    "> ",
    "messages of the user: 3",
    "  ● Add a field",
    "  ○ Mend the 変更",
    "> ● Mend it again 🎉",
    "",
    "",
    "id2",
    "Enter forks before it  Esc cancels  ? keys",
  ])
})

test("Enter picks the selected message", async () => {
  expect(await picker(key("up"), key("enter")).outcome).toBe(MESSAGES[1])
  expect(await picker(text("add"), key("enter")).outcome).toBe(MESSAGES[0])
})

test.each(["escape", "ctrl-c", "ctrl-d"] as const)("%s leaves", async (name) => {
  expect(await picker(key(name)).outcome).toBeUndefined()
})

test("a query leaves what holds it; what is selected stays so as long as it is shown", () => {
  const found = picker(key("up"), text("mend"))
  expect(lines(found).slice(1, 4)).toEqual([
    "messages of the user: 2 of 3",
    "> ○ Mend the 変更",
    "  ● Mend it again 🎉",
  ])
  found.press(text(" again"))
  expect(lines(found)[2]).toBe("> ● Mend it again 🎉")
  found.press(text("?"))
  expect(lines(found).slice(1, 3)).toEqual(["messages of the user: 0 of 3", "No message found."])
  found.press(key("enter"))
  expect(found.hasEnded).toBe(false)
  found.press(key("ctrl-u"))
  expect(lines(found)[1]).toBe("messages of the user: 3")
})
