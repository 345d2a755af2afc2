import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sandbox } from "../../sandbox.js"
import { storeSessions } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const WHY = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""

test.skipIf(NO_TERMINAL)(
  `search without a text finds as you type, shows a preview, and Enter goes on from there${WHY}`,
  async () => {
    const box = sandbox()
    storeSessions(box, [
      { first: "Why does the parser fail?", prompts: ["find the needle 🔍 in the haystack"] },
      { name: "Other", first: "Something else entirely" },
      { first: "A needle in another project", cwd: "/elsewhere" },
    ])
    const terminal = new TestTerminal(box, ["search"])
    await terminal.shows((lines) => expect(lines[1]).toMatch(/\[hits\].* this project {3}\d/))
    terminal.type("needle")
    await terminal.shows((lines) => {
      expect(lines[0]).toBe("> needle")
      expect(lines[2]).toMatch(/^> .*Why does the.* {2}find the needle 🔍 in/)
      expect(lines[3]).toBe("")
      expect(lines.join("\n")).toMatch(/ · user · s0 · /)
    })
    terminal.press("BackTab")
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/all folders {3}2/)
      expect(lines[3]).toMatch(/A needle in another project/)
    })
    terminal.press("Down", "Enter")
    expect(await terminal.ends(0)).toMatch(/_s2\.jsonl\n$/)
  },
)

test.skipIf(NO_TERMINAL)(`Enter goes on in a fork where others follow, Ctrl-L at the end${WHY}`, async () => {
  const box = sandbox()
  storeSessions(box, [{ first: "the needle", prompts: ["what follows"] }])
  const searching = async (key: "Enter" | "Ctrl-l"): Promise<string> => {
    const terminal = new TestTerminal(box, ["search"])
    await terminal.shows((lines) => expect(lines[1]).toMatch(/\[hits\].* this project {3}\d/))
    terminal.type("needle")
    await terminal.shows((lines) => expect(lines[2]).toMatch(/^> .*the needle/))
    terminal.press(key)
    return terminal.ends(0)
  }
  const whole = (await searching("Ctrl-l")).trim()
  expect(readFileSync(whole, "utf8")).toContain("what follows")
  const fork = (await searching("Enter")).trim()
  expect(fork).not.toBe(whole)
  expect(readFileSync(fork, "utf8")).toContain("the needle")
  expect(readFileSync(fork, "utf8")).not.toContain("what follows")
})

test.skipIf(NO_TERMINAL)(`a sign alone finds nothing, and says why${WHY}`, async () => {
  const box = sandbox()
  storeSessions(box, [{ first: "1 + 1 is two" }])
  const terminal = new TestTerminal(box, ["search"])
  await terminal.shows((lines) => expect(lines[2]).toContain("1 + 1"))
  terminal.type("+")
  await terminal.shows((lines) => {
    expect(lines[1]).toMatch(/this project {3}0/)
    expect(lines[2]).toMatch(/^"\+" has nothing to search for: write a word/)
  })
  terminal.press("Escape")
  expect(await terminal.ends(130)).toBe("")
})
