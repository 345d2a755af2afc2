import { expect, test } from "vitest"
import { sandbox } from "../../sandbox.js"
import { forkedEntries, storeSessions } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const SKIPPED = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

test.skipIf(NO_TERMINAL).each([["resume"], ["tree", "-i"], ["fork", "-i", "@last"]])(
  `what is typed before \`%s\` shows anything is searched for, and leaves no trace on the screen${SKIPPED}`,
  async (...argv) => {
    const box = sandbox()
    box.store(forkedEntries())
    const terminal = new TestTerminal(box, argv)
    terminal.type("disc")
    await terminal.shows((lines) => expect(lines[0]).toBe("> disc"))
    await terminal.showsText("Add a discount field")
    terminal.press("Escape")
    await terminal.ends(130)
    expect(terminal.lines().join("")).toBe("")
  },
)

test.skipIf(NO_TERMINAL)(`\`?\` in \`tree -i\` shows its keys, and Escape the tree again${SKIPPED}`, async () => {
  const box = sandbox()
  box.store(forkedEntries())
  const terminal = new TestTerminal(box, ["tree", "-i"])
  await terminal.showsText("? keys")
  terminal.type("?")
  await terminal.showsText(/^Keys\nEnter +continue from this entry\n/)
  terminal.press("Escape")
  await terminal.showsText("Add a discount field")
  terminal.press("Escape")
  await terminal.ends(130)
})

test.skipIf(NO_TERMINAL)(
  `\`resume\` says that there are no sessions, where the store has none, and is about every folder where only others have some${SKIPPED}`,
  async () => {
    const box = sandbox()
    const terminal = new TestTerminal(box, ["resume"], { columns: 200 })
    expect(await terminal.ends(3)).toBe("")
    await terminal.showsText(/^treelog: There are no sessions in .*\/agent\. `treelog new` creates one\.\n/)
    storeSessions(box, [{ first: "Elsewhere", cwd: "/elsewhere" }])
    const other = new TestTerminal(box, ["resume"])
    await other.showsText("Elsewhere")
    other.press("Escape")
    await other.ends(130)
  },
)
