import { expect, test } from "vitest"
import { sandbox } from "../../sandbox.js"
import { type StoredSession, storeSessions } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const COUNT = 2_000
const TITLES = ["Mend the flaky test", "変更日志を更新して", "Ship it 🚀 today", "Fix the 👩‍👩‍👧 width"]

function* sessions(): Generator<StoredSession> {
  for (let at = 0; at < COUNT; at++) {
    const first = `${TITLES[at % TITLES.length]} #${at}`
    yield at === 1800 ? { first, prompts: ["the only needle"] } : { first }
  }
}

test.skipIf(NO_TERMINAL)(
  `2,000 sessions are walked through and searched${NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""}`,
  async () => {
    const box = sandbox()
    storeSessions(box, sessions())
    const [columns, rows] = [200, 50]
    const terminal = new TestTerminal(box, ["resume", "--print", "id"], { columns, rows })
    // The first rows can be used before the others are there.
    await terminal.showsText(/\n> .*#\d+ /)
    await terminal.shows((lines) => expect(lines[1]).toMatch(/^\[sessions\].* this project {3}2,000/))
    expect(terminal.lines()[2]).toMatch(/^> .*flaky test #0 /)
    terminal.press("End")
    await terminal.shows((lines) => expect(lines.join("\n")).toMatch(/\n> .*width #1999 .*\n/))
    terminal.type("変更 #42")
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/ {3}3 of 2,000/)
      expect(lines[2]).toMatch(/^> .*変更日志を更新して #421 /)
    })
    terminal.press("Ctrl-u")
    terminal.type("only needle")
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/ {3}1 of 2,000/)
      expect(lines[2]).toContain("the only needle")
    })
    terminal.press("Enter")
    expect(await terminal.ends(0)).toBe("s1800\n")
  },
)
