import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import type { Picker } from "../door.js"
import { TreePicker, treeData } from "../door.js"
import { sampleEntries } from "../sample.js"
import { finderOf, Rows, row } from "./finder/rows.js"
import { key, LOOK, text } from "./look.js"
import { sessionOf } from "./tree/nodes.js"

const SIZE = { columns: 80, rows: 24 }
const SOURCE = fileURLToPath(new URL("../../src/tui/", import.meta.url))

type Shown = Pick<Picker<unknown, unknown>, "draw" | "take" | "resize" | "keys" | "hasEnded">

/** Every picker, by the name of its class, with something to choose from. */
const PICKERS: Readonly<Record<string, () => Promise<Shown>>> = {
  Finder: async () => finderOf(new Rows([row("a", 1)])),
  TreePicker: async () => {
    const actions = { label: async () => treeData(session), asksSummary: () => false, faultOf: () => undefined }
    const session = await sessionOf(sampleEntries())
    return new TreePicker(treeData(session), "default", LOOK, actions)
  },
}

test("every picker that there is, is tested here", () => {
  const classes = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(SOURCE + name, "utf8").matchAll(/class (\w+)(?:<.*>)? extends Picker</g)])
  expect(classes.map(([, name]) => name).sort()).toEqual(Object.keys(PICKERS).sort())
})

test.each(Object.entries(PICKERS))(
  "%s names ? on its screen, shows all its keys for it, and then itself again",
  async (_, make) => {
    const picker = await make()
    picker.resize(SIZE)
    const lines = (): string[] => picker.draw(SIZE, LOOK.style).lines.map((line) => stripVTControlCharacters(line))
    const before = lines()
    expect(before.at(-1)).toContain("? keys")
    picker.take(text("?"))
    const help = lines()
    expect([help[0], help.at(-1)]).toEqual(["Keys", "any key to go back"])
    const rows = help.map((line) => line.split(/ {2,}/))
    expect(rows).toEqual(expect.arrayContaining([...picker.keys, ["Up, Down", "previous, next row"]]))
    picker.take(key("escape"))
    expect(lines().at(-1)).toBe(before.at(-1))
    expect(picker.hasEnded).toBe(false)
  },
)
