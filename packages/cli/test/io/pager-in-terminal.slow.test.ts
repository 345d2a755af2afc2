import { spawnSync } from "node:child_process"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { NO_TERMINAL, TestTerminal } from "../tui/terminal/terminal.js"

const MISSING = NO_TERMINAL ?? (spawnSync("less", ["--version"]).error ? "less is not installed" : undefined)
const SKIPPED = MISSING ? ` (skipped: ${MISSING})` : ""

function given(count: number): Sandbox {
  const box = sandbox()
  box.store(
    Array.from({ length: count }, (_, at) =>
      userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`, `message ${at} ${"word ".repeat(30)}`),
    ),
  )
  return box
}

function inTerminal(box: Sandbox, args: readonly string[], env: Record<string, string> = {}): TestTerminal {
  return new TestTerminal(box, args, { stdout: "terminal", env })
}

test.skipIf(MISSING)(`less shows a long session, takes keys, and ends with q${SKIPPED}`, async () => {
  const terminal = inTerminal(given(100), ["show"])
  await terminal.shows((lines) => {
    expect(lines.join("\n")).toContain("message 2 word")
    expect(lines.at(-1)).toBe(":")
  })
  terminal.type("G")
  await terminal.showsText("message 99 word")
  terminal.type("q")
  await terminal.ends(0)
})

test.skipIf(MISSING)(`who leaves before all is read gets no error${SKIPPED}`, async () => {
  const terminal = inTerminal(given(5_000), ["show", "--full"])
  await terminal.showsText("message 2 word")
  terminal.type("q")
  await terminal.ends(0)
  expect(terminal.sent).not.toContain("EPIPE")
})

test.skipIf(MISSING)(`Ctrl-C, even twice, leaves the pager to the user${SKIPPED}`, async () => {
  const terminal = inTerminal(given(100), ["show"])
  await terminal.shows((lines) => expect(lines.at(-1)).toBe(":"))
  terminal.press("Ctrl-c", "Ctrl-c")
  await terminal.shows((lines) => {
    // The terminal drops what is typed before it has handled Ctrl-C.
    terminal.type("G")
    expect(lines.join("\n")).toContain("message 99 word")
  })
  terminal.type("q")
  await terminal.ends(0)
})

test.skipIf(MISSING)(`what fits on the screen, and --no-pager, need no key${SKIPPED}`, async () => {
  const box = given(100)
  const short = inTerminal(box, ["show", "--tail", "2"])
  await short.shows((lines) => expect(lines.join("\n")).toContain("message 99 word"))
  await short.ends(0)
  await inTerminal(box, ["show", "--no-pager"]).ends(0)
})

test.skipIf(NO_TERMINAL)(`a pager with signs of a shell is run by one${SKIPPED}`, async () => {
  const terminal = inTerminal(given(100), ["show"], { PAGER: "grep -c 'message [0-9]* word' && echo counted" })
  await terminal.ends(0)
  expect(terminal.lines().slice(0, 2)).toEqual(["100", "counted"])
})
