import { expect, test } from "vitest"
import type { KeyPress } from "../../../src/tui/frame/key-reader.js"
import type { Size } from "../../../src/tui/frame/picker.js"
import { type ListedMessage, MessagePicker } from "../../../src/tui/messages/message-picker.js"
import { key, LOOK, text } from "../look.js"

const SIZE: Size = { columns: 50, rows: 12 }

function shown(...presses: readonly KeyPress[]): MessagePicker<ListedMessage> {
  const messages = [{ entryId: "one", text: "Why?", timestamp: "", isActive: true }]
  const made = new MessagePicker<ListedMessage>(messages, LOOK)
  made.resize(SIZE)
  for (const press of presses) made.take(press)
  return made
}

test("? shows what the keys do, and the next key the picker again, where it does nothing", () => {
  const made = shown()
  let changes = 0
  const stop = made.onChange(() => (changes += 1))
  made.take(text("?"))
  const { lines, cursor } = made.draw(SIZE, LOOK.style)
  expect(lines).toEqual(
    expect.arrayContaining(["Keys", "Enter               fork before this message", "any key to go back"]),
  )
  expect([lines.length, cursor, changes]).toEqual([10, undefined, 1])
  made.take(key("escape"))
  expect(made.draw(SIZE, LOOK.style)).toEqual(shown().draw(SIZE, LOOK.style))
  stop()
  made.take(text("?"))
  expect(changes).toBe(2)
})

test("behind other letters, or pasted, ? is searched for", () => {
  for (const presses of [[text("y"), text("?")], [text("y?")], [{ ...text("?"), isPasted: true } as KeyPress]])
    expect(shown(...presses).draw(SIZE, LOOK.style).lines[0]).toMatch(/^> .*\?$/)
})

test("Ctrl-C leaves from there, too", async () => {
  expect(await shown(text("?"), key("ctrl-c")).outcome).toBeUndefined()
})

test("no line is wider than the screen, and none is below it", () => {
  for (const columns of [1, 5, 20, 80, 200])
    for (const rows of [1, 2, 5, 24, 50]) {
      const { lines } = shown(text("?")).draw({ columns, rows }, LOOK.style)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
    }
})
