import { expect, test } from "vitest"
import { sandbox } from "../../sandbox.js"
import { forkedEntries } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const SKIPPED = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

test.skipIf(NO_TERMINAL)(`Enter forks from before the message, and prints its text${SKIPPED}`, async () => {
  const box = sandbox()
  const source = box.store(forkedEntries(), { id: "source" })
  const terminal = new TestTerminal(box, ["fork", "-i", "source"])
  await terminal.shows((lines) => {
    expect(lines[1]).toMatch(/\[user-only\].* 4 entries/)
    expect(lines.slice(2, 6).map((line) => line.replace(/(?<=[●○] )\S+ user {2}/, ""))).toEqual([
      "  ● Add a discount field",
      "  ● Into the checkout form",
      "  ├─○ Rewrite it all",
      "> ● 変更日志を更新して 🎉 and nothing else  ← leaf below",
    ])
  })
  terminal.type("checkout")
  await terminal.showsText(/\n> ● .*Into the checkout form/)
  terminal.press("Enter")
  const [made = "", text] = (await terminal.ends(0)).split("\n")
  expect(text).toBe("Into the checkout form")
  const [id = "", path] = made.split("  ")
  expect(await box.print("show", id)).not.toContain("checkout")
  expect(await box.print("show", id)).toContain("Where to?")
  expect(path).not.toBe(source)
})

test.skipIf(NO_TERMINAL)(`Escape forks nothing${SKIPPED}`, async () => {
  const box = sandbox()
  box.store(forkedEntries())
  const terminal = new TestTerminal(box, ["fork", "-i", "@last"])
  await terminal.showsText("[user-only]")
  terminal.press("Escape")
  expect(await terminal.ends(130)).toBe("")
  expect((await box.run(["list", "--json"])).json).toHaveLength(1)
})
