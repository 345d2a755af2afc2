import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../../sandbox.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

async function withPrompts(): Promise<Sandbox> {
  const box = sandbox()
  await box.print("history", "add", "Mend the flaky test", "--cwd", "/elsewhere")
  await box.print("history", "add", "Why is it flaky?\nLook at the 变更日志")
  await box.print("history", "add", "Something \u001b]0;else\u0007\u001b[2J entirely")
  return box
}

test.skipIf(NO_TERMINAL)(
  `the picker finds as you type, changes the scope, and Enter prints${NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""}`,
  async () => {
    const terminal = new TestTerminal(await withPrompts(), ["history"])
    await terminal.shows((lines) => {
      expect(lines[1]).toBe("[all]  repository   cwd   session    3")
      expect(lines[2]).toMatch(/^> .* {2}Something entirely {2,}~\/project$/)
    })
    terminal.type("flaky")
    await terminal.shows((lines) => {
      expect(lines[0]).toBe("> flaky")
      expect(lines.slice(2, 5)).toEqual([
        expect.stringMatching(/^> .* {2}Why is it flaky\? Look at the 变更日志 {2,}~\/project$/),
        expect.stringMatching(/^ {2}.* {2}Mend the flaky test {2,}\/elsewhere$/),
        "",
      ])
    })
    terminal.press("Tab", "Tab")
    await terminal.shows((lines) => {
      expect(lines[1]).toBe(" all   repository  [cwd]  session    1")
      expect(lines.join("\n")).not.toContain("Mend")
    })
    terminal.press("BackTab", "BackTab")
    await terminal.shows((lines) => expect(lines[1]).toBe("[all]  repository   cwd   session    2"))
    terminal.press("Down")
    await terminal.shows((lines) => expect(lines[3]).toMatch(/^> .* {2}Mend the flaky test {2,}\/elsewhere$/))
    terminal.resize(30, 9)
    await terminal.shows((lines) => expect(lines).toEqual(["> flaky", ...expectedSmall(), ""]))
    terminal.press("Up", "Enter")
    expect(await terminal.ends(0)).toBe("Why is it flaky?\nLook at the 变更日志\n")
  },
)

test.skipIf(NO_TERMINAL)(
  `Escape prints nothing, ends with 130, and gives the screen back${NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""}`,
  async () => {
    const terminal = new TestTerminal(await withPrompts(), ["history", "--query", "flaky"])
    await terminal.shows((lines) => expect(lines[0]).toBe("> flaky"))
    terminal.press("Escape")
    expect(await terminal.ends(130)).toBe("")
    expect(terminal.lines().join("")).toBe("")
  },
)

function expectedSmall(): unknown[] {
  return [
    "[all] 2",
    expect.stringMatching(/^ {2}.* {2}Why is it flaky…$/),
    expect.stringMatching(/^> .* {2}Mend the flaky…$/),
    "",
    "",
    expect.stringMatching(/ {2}\/elsewhere$/),
    expect.stringMatching(/^Enter prints/),
  ]
}
