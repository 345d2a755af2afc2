import { existsSync } from "node:fs"
import { join } from "node:path"
import { NO_TERMINAL, ProgramInTerminal } from "@treelog-internal/test-kit/terminal"
import { expect, test } from "vitest"
import { exportedData } from "./exported-data.js"
import type { Home } from "./home.js"
import { expectSameWork } from "./same-work.js"

const SKIPPED = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

/** What pi shows while it works. */
const BUSY = /(Working|Running|Summarizing|Compacting)[^\n]*\.\.\./

/** What a user does in a terminal. @returns the screens that list what is stored */
async function work(home: Home): Promise<unknown> {
  const page = join(home.folder, "page.html")
  const pi = new ProgramInTerminal(process.execPath, home.command(), {
    cwd: home.project,
    env: home.env,
    columns: 100,
    rows: 40,
  })
  const screens: string[][] = []
  const enter = async (line: string, answer: string | RegExp): Promise<void> => {
    pi.type(line)
    await pi.shows((lines) => {
      expect(lines.join("\n")).toContain(line)
      expect(lines.join("\n")).not.toMatch(BUSY)
    })
    pi.press("Enter")
    await pi.showsText(answer)
  }
  await pi.showsText("faux-1")
  await enter("hello", "You said hello")
  await enter("run echo one", "The tool said one")
  await enter("!echo di''rect", "direct")
  await enter("/name In a terminal", "Session name set: In a terminal")
  await enter("/mark 1 bookmark", "mark is done")
  await enter("/summarize-and-go 1", "summarize-and-go is done")
  await enter("another way", "You said another way")
  await enter("/compact Be short.", /[Cc]ompacted/)
  await enter("after the compaction", "You said after the compaction")
  await enter("/model faux/faux-2", "faux-2")
  await enter("think trees", "I thought of trees")
  await enter(`/export ${page}`, "exported to")
  await expect.poll(() => existsSync(page)).toBe(true)
  const look = async (line: string, text: string | RegExp): Promise<void> => {
    await enter(line, text)
    // The last that is drawn is the line with the model.
    await pi.shows((lines) => expect(lines.filter((each) => each !== "").at(-1)).toMatch(/faux-\d/))
    screens.push(pi.lines())
  }
  const close = async (title: string): Promise<void> => {
    pi.press("Escape")
    await pi.shows((lines) => expect(lines.join("\n")).not.toContain(title))
  }
  await look("/tree", "Session Tree")
  await close("Session Tree")
  await look("/fork", "Fork from Message")
  pi.press("Enter")
  await pi.showsText("Forked to new session")
  pi.press("Ctrl-c")
  await enter("in the fork", "You said in the fork")
  await enter("/new", "New session started")
  await enter("in a new session", "You said in a new session")
  await look("/resume", /Resume Session[\s\S]*In a terminal/)
  await enter("In a terminal", "You said after the compaction")
  await enter("back in the first one", "You said back in the first one")
  pi.press("Ctrl-d")
  await pi.ended
  return [screens, exportedData(page)]
}

test.skipIf(NO_TERMINAL)(`pi shows the same in a terminal, and leaves the same files${SKIPPED}`, async () => {
  const files = await expectSameWork(work)
  expect(Object.values(files).map(({ length }) => length)).toEqual([24, 16, 5])
})
