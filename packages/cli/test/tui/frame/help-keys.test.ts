import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import type { KeyPress, Size } from "../../door.js"
import { TreePicker, treeData } from "../../door.js"
import { key, LOOK, text } from "../look.js"
import { sessionOf } from "../tree/nodes.js"

const SIZE: Size = { columns: 50, rows: 12 }

async function shown(...presses: readonly KeyPress[]): Promise<TreePicker> {
  const data = treeData(await sessionOf([userEntry("one", null, "Why?")]))
  const actions = { label: async () => data, asksSummary: () => false, faultOf: () => undefined }
  const made = new TreePicker(data, "default", LOOK, actions)
  made.resize(SIZE)
  for (const press of presses) made.take(press)
  return made
}

test("? shows what the keys do, and the next key the picker again, where it does nothing", async () => {
  const made = await shown()
  let changes = 0
  const stop = made.onChange(() => (changes += 1))
  made.take(text("?"))
  const { lines, cursor } = made.draw(SIZE, LOOK.style)
  expect(lines).toEqual(
    expect.arrayContaining(["Keys", expect.stringMatching(/^Enter +continue from this entry$/), "any key to go back"]),
  )
  expect([lines.length, cursor, changes]).toEqual([11, undefined, 1])
  made.take(key("escape"))
  expect(made.draw(SIZE, LOOK.style)).toEqual((await shown()).draw(SIZE, LOOK.style))
  stop()
  made.take(text("?"))
  expect(changes).toBe(2)
})

test("behind other letters, or pasted, ? is searched for", async () => {
  for (const presses of [[text("y"), text("?")], [text("y?")], [{ ...text("?"), isPasted: true } as KeyPress]])
    expect((await shown(...presses)).draw(SIZE, LOOK.style).lines[0]).toMatch(/^> .*\?$/)
})

test("Ctrl-C leaves from there, too", async () => {
  expect(await (await shown(text("?"), key("ctrl-c"))).outcome).toBeUndefined()
})

test("no line is wider than the screen, and none is below it", async () => {
  for (const columns of [1, 5, 20, 80, 200])
    for (const rows of [1, 2, 5, 24, 50]) {
      const { lines } = (await shown(text("?"))).draw({ columns, rows }, LOOK.style)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
    }
})
