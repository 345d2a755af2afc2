import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import type { KeyHelp } from "../../src/tui/frame/key-reader.js"
import type { Picker, Shown } from "../../src/tui/frame/picker.js"
import { WithHelp } from "../../src/tui/frame/with-help.js"
import { MessagePicker } from "../../src/tui/messages/message-picker.js"
import { treeData } from "../../src/tui/tree/shown-rows.js"
import { TreePicker } from "../../src/tui/tree/tree-picker.js"
import { sampleEntries } from "../sample.js"
import { finderOf, Rows, row } from "./finder/rows.js"
import { key, LOOK, text } from "./look.js"
import { sessionOf } from "./tree/nodes.js"

const SIZE = { columns: 80, rows: 24 }
const SOURCE = fileURLToPath(new URL("../../src/tui/", import.meta.url))

interface WithKeys {
  readonly shown: Shown
  readonly keys: readonly KeyHelp[]
  hasEnded(): boolean
}

/** As it is shown. */
function asShown<Outcome>(picker: Picker<unknown, Outcome>): WithKeys {
  return { shown: new WithHelp(picker, LOOK.style), keys: picker.keys, hasEnded: () => picker.hasEnded }
}

/** Every picker, by the name of its class, with something to choose from. */
const PICKERS: Readonly<Record<string, () => Promise<WithKeys>>> = {
  Finder: async () => asShown(finderOf(new Rows([row("a", 1)]))),
  MessagePicker: async () =>
    asShown(new MessagePicker([{ entryId: "one", text: "Why?", timestamp: "", isActive: true }], LOOK)),
  TreePicker: async () => {
    const actions = { label: async () => treeData(session), asksSummary: () => false, faultOf: () => undefined }
    const session = await sessionOf(sampleEntries())
    return asShown(new TreePicker(treeData(session), "default", LOOK, actions))
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
    const { shown, keys, hasEnded } = await make()
    shown.resize(SIZE)
    const lines = (): string[] => shown.frame(SIZE).lines.map((line) => stripVTControlCharacters(line))
    const before = lines()
    expect(before.at(-1)).toContain("? keys")
    shown.press(text("?"))
    const help = lines()
    expect([help[0], help.at(-1)]).toEqual(["Keys", "any key to go back"])
    const rows = help.map((line) => line.split(/ {2,}/))
    expect(rows).toEqual(expect.arrayContaining([...keys, ["Up, Down", "previous, next row"]]))
    shown.press(key("escape"))
    expect(lines().at(-1)).toBe(before.at(-1))
    expect(hasEnded()).toBe(false)
  },
)
