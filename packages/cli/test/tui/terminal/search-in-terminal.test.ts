import { expect, test } from "vitest"
import { sandbox } from "../../sandbox.js"
import { storeSessions } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const WHY = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

test.skipIf(NO_TERMINAL)(
  `search without a text finds as you type, shows a preview, and Enter prints the path${WHY}`,
  { timeout: 120_000 },
  async () => {
    const box = sandbox()
    storeSessions(box, [
      { first: "Why does the parser fail?", prompts: ["find the needle 🔍 in the haystack"] },
      { name: "Other", first: "Something else entirely" },
      { first: "A needle in another project", cwd: "/elsewhere" },
    ])
    const terminal = new TestTerminal(box, ["search"])
    await terminal.shows((lines) => expect(lines[1]).toMatch(/^\[project\] {2}all {4}\d/))
    terminal.type("needle")
    await terminal.shows((lines) => {
      expect(lines[0]).toBe("> needle")
      expect(lines[2]).toMatch(/^> .*Why does the parser.* {2}find the needle 🔍 in the haystack$/)
      expect(lines[3]).toBe("")
      expect(lines.join("\n")).toMatch(/ · user · s0 · /)
    })
    terminal.press("Tab")
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/^ project {2}\[all\] {3}2/)
      expect(lines[3]).toMatch(/A needle in another project/)
    })
    terminal.press("Down", "Enter")
    expect(await terminal.ends(0)).toMatch(/_s2\.jsonl\n$/)
  },
)

test.skipIf(NO_TERMINAL)(`Escape leaves search with 130${WHY}`, { timeout: 120_000 }, async () => {
  const box = sandbox()
  storeSessions(box, [{ first: "Hello" }])
  const terminal = new TestTerminal(box, ["search"])
  await terminal.shows((lines) => expect(lines[2]).toContain("Hello"))
  terminal.press("Escape")
  expect(await terminal.ends(130)).toBe("")
})
