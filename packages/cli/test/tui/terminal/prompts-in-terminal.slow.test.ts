import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../../sandbox.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

async function withPrompts(): Promise<Sandbox> {
  const box = sandbox()
  const history = new SqlitePromptHistory({ path: join(box.agentDir, "history.db") })
  history.add("Fix the flaky test", { cwd: "/elsewhere" })
  history.add("Why is it flaky?\nLook at the 变更日志", { cwd: box.project })
  history.add("Something \u001b]0;else\u0007\u001b[2J entirely", { cwd: box.project })
  await history.close()
  return box
}

test.skipIf(NO_TERMINAL)(
  `prompts are found as you type, of this project too, and Enter prints${NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""}`,
  async () => {
    const terminal = new TestTerminal(await withPrompts(), ["search", "--prompts", "--all"])
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/\[prompts\] {3}all folders {3}3/)
      expect(lines[2]).toMatch(/^> .* {2}Something entirely {2,}~\/project$/)
    })
    terminal.type("flaky")
    await terminal.shows((lines) => {
      expect(lines[2]).toMatch(/^> .* {2}Why is it flaky\? Look at the 变更日志 {2,}~\/project$/)
      expect(lines[3]).toMatch(/^ {2}.* {2}Fix the flaky test {2,}\/elsewhere$/)
    })
    terminal.press("BackTab")
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/this project {3}1/)
      expect(lines.join("\n")).not.toContain("Fix")
    })
    terminal.press("Enter")
    expect(await terminal.ends(0)).toBe("Why is it flaky?\nLook at the 变更日志\n")
  },
)

test.skipIf(NO_TERMINAL)(
  `Escape prints nothing, ends with 130, and gives the screen back${NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""}`,
  async () => {
    const terminal = new TestTerminal(await withPrompts(), ["search", "--prompts", "--all"])
    terminal.type("flaky")
    await terminal.shows((lines) => expect(lines[0]).toBe("> flaky"))
    terminal.press("Escape")
    expect(await terminal.ends(130)).toBe("")
    expect(terminal.lines().join("")).toBe("")
  },
)
