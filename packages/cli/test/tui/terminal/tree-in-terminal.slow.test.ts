import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../../sandbox.js"
import { forkedEntries } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const SKIPPED = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

function forked(): Sandbox {
  const box = sandbox()
  box.store(forkedEntries())
  return box
}

const leafOf = async (box: Sandbox): Promise<unknown> =>
  (await box.run(["tree", "--json", "--filter", "all"])).json[0]?.leafId

test.skipIf(NO_TERMINAL)(
  `Enter on a message of the user goes before it, prints its text, and a reload finds it there${SKIPPED}`,
  async () => {
    const box = forked()
    const terminal = new TestTerminal(box, ["tree", "-i", "@last"], { columns: 200, rows: 50 })
    await terminal.shows((lines) => {
      expect(lines[1]).toBe("[default]  no-tools   user-only   labeled-only   all    8 entries")
      expect(lines.slice(5, 11)).toEqual([
        "  ● bbbb0004 assistant  Done.",
        "  ├─○ bbbb0005 user  Rewrite it all",
        "  │ ○ bbbb0006 assistant  Rewritten.",
        "  ● bbbb0007 user  変更日志を更新して 🎉 and nothing else",
        "> ● bbbb0008 assistant  更新しました ✅  ← leaf",
        "",
      ])
    })
    terminal.press("Up", "Enter")
    expect(await terminal.ends(0)).toBe("bbbb0004\n変更日志を更新して 🎉\nand nothing else\n")
    const drawn = await box.print("tree")
    expect(drawn).toContain("bbbb0004 assistant  Done.  ← leaf")
  },
)

test.skipIf(NO_TERMINAL)(`Enter on anything else goes to it, and Escape nowhere${SKIPPED}`, async () => {
  const box = forked()
  const first = new TestTerminal(box, ["tree", "-i"])
  await first.showsText("← leaf")
  first.press("Escape")
  expect(await first.ends(130)).toBe("")
  expect(await leafOf(box)).toBe("bbbb0008")
  const second = new TestTerminal(box, ["tree", "-i"])
  await second.showsText("← leaf")
  second.press("Home", "Down", "Enter")
  expect(await second.ends(0)).toBe("bbbb0002\n")
  expect(await box.print("tree")).toContain("bbbb0002 assistant  Where to?  ← leaf")
})

test.skipIf(NO_TERMINAL)(`it filters, folds, searches and labels${SKIPPED}`, async () => {
  const box = forked()
  const terminal = new TestTerminal(box, ["tree", "-i"])
  await terminal.showsText("8 entries")
  terminal.press("Ctrl-u")
  await terminal.showsText("[user-only]  labeled-only   all    4 entries")
  terminal.press("Ctrl-u", "Ctrl-o")
  await terminal.showsText("[no-tools]")
  terminal.press("Ctrl-d")
  await terminal.shows((lines) => expect(lines[8]).toMatch(/^> ● bbbb0007/))
  terminal.press("Left")
  await terminal.shows((lines) => {
    expect(lines[1]).toContain("7 entries")
    expect(lines[8]).toBe("> ● bbbb0007 user  変更日志を更新して 🎉 and nothing else  (+1)  ← leaf below")
  })
  terminal.press("Right")
  await terminal.showsText("8 entries")
  terminal.type("rewritten")
  await terminal.shows((lines) => {
    expect(lines[0]).toBe("> rewritten")
    expect(lines[2]).toBe("> ○ bbbb0006 assistant  Rewritten.")
  })
  terminal.type("L")
  await terminal.showsText(/^Label:/)
  terminal.type("役に立つ ✅")
  terminal.press("Enter")
  await terminal.shows((lines) => {
    expect(lines[2]).toBe("> ○ bbbb0006 assistant  [役に立つ ✅] Rewritten.")
    expect(lines[22]).toBe("Label saved.")
  })
  expect(await box.print("tree", "--filter", "labeled-only")).toContain("[役に立つ ✅]")
  terminal.type("L")
  terminal.press("Ctrl-u", "Enter")
  await terminal.showsText("Label removed.")
  expect(await box.print("tree", "--filter", "labeled-only")).toBe("")
  terminal.press("Ctrl-c")
  expect(await terminal.ends(130)).toBe("")
})

test.skipIf(NO_TERMINAL)(`what is left is summarized by a command, if the user says so${SKIPPED}`, async () => {
  const box = forked()
  const args = ["tree", "-i", "--summarizer", "cat > asked; echo A summary"]
  const terminal = new TestTerminal(box, args)
  await terminal.showsText("← leaf")
  terminal.press("Home", "Enter")
  await terminal.showsText("Summarize the branch that you leave?")
  terminal.type("i")
  await terminal.showsText(/^Focus on:/)
  terminal.type("the width")
  terminal.press("Enter")
  expect(await terminal.ends(0)).toMatch(/^[0-9a-f]{8}\nAdd a discount field\n$/)
  expect(await box.print("show")).toContain("A summary")
  const { stdout } = await box.run(["tree", "--json", "--filter", "all"])
  expect(stdout).toContain('"type":"branch_summary"')
  const again = new TestTerminal(box, args)
  await again.showsText("← leaf")
  again.press("Home", "Enter")
  await again.showsText("Summarize the branch that you leave?")
  again.type("n")
  expect(await again.ends(0)).toBe("root\nAdd a discount field\n")
})

test.skipIf(NO_TERMINAL)(`an entry of an old session is labelled and gone to: it is migrated${SKIPPED}`, async () => {
  const box = sandbox()
  const entries = ["one", "two"].map((text) => ({
    type: "message",
    message: { role: "user", content: text, timestamp: 0 },
  }))
  const path = box.store(entries, { id: "old", version: 1 })
  const terminal = new TestTerminal(box, ["tree", "-i", "old"])
  await terminal.showsText("← leaf")
  terminal.type("L")
  await terminal.showsText(/^Label:/)
  terminal.type("mine")
  terminal.press("Enter")
  await terminal.showsText("Label saved.")
  terminal.press("Enter")
  expect(await terminal.ends(0)).toMatch(/^[0-9a-f]{8}\ntwo\n$/)
  expect(await box.print("tree", path)).toMatch(/one {2}← leaf\n└─○ .*\[mine\] two$/)
})
