import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../../sandbox.js"
import { sessionsFolder, storeSessions } from "./store.js"
import { NO_TERMINAL, TestTerminal } from "./terminal.js"

const SKIPPED = NO_TERMINAL ? ` (skipped: ${NO_TERMINAL})` : ""
const ESCAPE = String.fromCharCode(0x1b)
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]+m`)
const TITLE = new RegExp(`${ESCAPE}\\]|${String.fromCharCode(7)}`)

function shop(): Sandbox {
  const box = sandbox()
  storeSessions(box, [
    { first: "Why does the résumé parser fail?", prompts: ["find the needle 🔍 in the haystack"] },
    { name: "設計の変更 🎉", first: "変更日志を更新して" },
    { first: "Fix the 👩‍👩‍👧 emoji width" },
    { first: "Something \u001b]0;else\u0007\u001b[2J entirely", name: "plain" },
    { first: "Elsewhere", cwd: "/elsewhere" },
  ])
  return box
}

const pathOf = ({ agentDir, project }: Sandbox, id: string): string => {
  const folder = sessionsFolder(agentDir, project)
  return join(folder, readdirSync(folder).find((name) => name.endsWith(`_${id}.jsonl`)) ?? "")
}

test.skipIf(NO_TERMINAL)(
  `sessions are found as you type, wide characters stay in their columns, and Enter prints the path${SKIPPED}`,
  async () => {
    const box = shop()
    const terminal = new TestTerminal(box, ["resume"])
    await terminal.shows((lines) => {
      expect(lines[1]).toMatch(/^\[sessions\].* this project {3}4/)
      expect(lines[2]).toMatch(/^> .* {2}Why does the résumé parser fail\? .* ~\/project$/)
      expect(lines[3]).toMatch(/ {2}設計の変更 🎉 /)
      expect(lines[4]).toMatch(/ {2}Fix the .*emoji width /)
      expect(lines[5]).toMatch(/ {2}plain /)
      expect(lines[22]).toMatch(/^Enter go on {2}\^O read/)
    })
    terminal.type("needle")
    await terminal.shows((lines) => {
      expect(lines[0]).toBe("> needle")
      expect(lines[1]).toMatch(/ 1 of 4/)
      expect(lines[2]).toMatch(/find the needle 🔍 i/)
      expect(lines[3]).toBe("")
    })
    terminal.press("Ctrl-u")
    terminal.type("変更")
    await terminal.shows((lines) => {
      expect(lines[0]).toBe("> 変更")
      expect(lines[2]).toMatch(/^> .*設計の変更 🎉 /)
    })
    terminal.press("Enter")
    expect(await terminal.ends(0)).toBe(`${pathOf(box, "s1")}\n`)
  },
)

test.skipIf(NO_TERMINAL)(
  `Ctrl-O reads a session of any folder and comes back to the same place, and it resizes${SKIPPED}`,
  async () => {
    const terminal = new TestTerminal(shop(), ["resume", "--all"])
    await terminal.shows((lines) => expect(lines[1]).toMatch(/all folders {3}5/))
    terminal.type("else")
    await terminal.shows((lines) => expect(lines[2]).toMatch(/^> .*Elsewhere .*\/elsewhere$/))
    terminal.press("Ctrl-o")
    await terminal.showsText(/^\nuser · .*\n {2}Elsewhere/)
    terminal.type("q")
    await terminal.shows((lines) => expect(lines[0]).toBe("> else"))
    terminal.resize(40, 10)
    await terminal.shows((lines) => expect(lines[8]).toMatch(/^Enter go on {2}\^O read/))
    terminal.press("Escape")
    await terminal.ends(130)
  },
)

test.skipIf(NO_TERMINAL)(`a session is named and unnamed where it stands${SKIPPED}`, async () => {
  const box = shop()
  const terminal = new TestTerminal(box, ["resume"])
  await terminal.showsText("this project   4")
  terminal.press("Ctrl-r")
  await terminal.showsText(/^Name:/)
  terminal.type("新しい name")
  await terminal.showsText(/^Name: 新しい name\n/)
  terminal.press("Enter")
  await terminal.shows((lines) => {
    expect(lines[2]).toMatch(/^> .* {2}新しい name /)
    expect(lines[22]).toBe("Name saved.")
  })
  expect(await box.print("name", pathOf(box, "s0"))).toBe("新しい name")
  terminal.press("Ctrl-r", "Ctrl-u", "Enter")
  await terminal.showsText("Name removed.")
  expect(await box.print("name", pathOf(box, "s0"))).toBe("")
  terminal.press("Escape")
  expect(await terminal.ends(130)).toBe("")
})

test.skipIf(NO_TERMINAL)(`Ctrl-X moves a session to the trash, and Ctrl-Z restores it${SKIPPED}`, async () => {
  const box = shop()
  const path = pathOf(box, "s1")
  const before = readFileSync(path)
  const terminal = new TestTerminal(box, ["resume"])
  await terminal.showsText("this project   4")
  terminal.press("Down", "Ctrl-x")
  await terminal.shows((lines) => {
    expect(lines[1]).toMatch(/this project {3}3/)
    expect(lines[3]).toMatch(/^> .*emoji width /)
    expect(lines[22]).toMatch(/^In the trash; Ctrl-Z undoes it: 設計の変更/)
  })
  expect(existsSync(path)).toBe(false)
  terminal.press("Ctrl-z")
  await terminal.showsText("this project   4")
  expect(readFileSync(path)).toEqual(before)
  terminal.press("Ctrl-c")
  expect(await terminal.ends(130)).toBe("")
})

test.skipIf(NO_TERMINAL)(
  `without colours nothing is coloured, and what a session holds commands no terminal${SKIPPED}`,
  async () => {
    const coloured = new TestTerminal(shop(), ["resume"])
    await coloured.showsText("this project   4")
    expect(coloured.sent).toContain("\x1b[36m")
    const plain = new TestTerminal(shop(), ["resume", "--query", "entirely"], { env: { NO_COLOR: "1" } })
    await plain.showsText(/plain .*entirely/)
    expect(plain.sent).not.toMatch(COLOUR)
    for (const { sent } of [coloured, plain]) expect(sent).not.toMatch(TITLE)
    for (const terminal of [coloured, plain]) {
      terminal.press("Escape")
      expect(await terminal.ends(130)).toBe("")
    }
  },
)

test.skipIf(NO_TERMINAL).each(["SIGINT", "SIGTERM"] as const)(`%s gives the screen back${SKIPPED}`, async (name) => {
  const terminal = new TestTerminal(shop(), ["resume"])
  await terminal.showsText("this project   4")
  terminal.signal(name)
  expect(await terminal.ends(name === "SIGINT" ? 130 : 0)).toBe("")
})
