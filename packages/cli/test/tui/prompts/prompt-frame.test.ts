import { stripVTControlCharacters } from "node:util"
import type { Prompt } from "@treelog/session-core/prompt-history"
import { TEST_START } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { styleFor } from "../../../src/render/style.js"
import { widthOf } from "../../../src/render/width.js"
import { listHeight } from "../../../src/tui/frame/list-frame.js"
import type { Frame } from "../../../src/tui/frame/picker.js"
import { DETAILS, promptFrame } from "../../../src/tui/prompts/prompt-frame.js"
import { initialState, type PromptAnswer, press } from "../../../src/tui/prompts/prompt-state.js"
import { answer, numbered } from "./prompts.js"

const OUTPUT = { isTTY: true, columns: 80, write: async () => {} }

function frameOf(found: PromptAnswer, columns: number, rows: number, env: Record<string, string> = {}): Frame {
  const look = { style: styleFor(OUTPUT, env, {}), now: TEST_START, home: "/home/me" }
  return promptFrame(initialState(found, listHeight(rows, DETAILS)), look, { columns, rows })
}

const PLAIN = { NO_COLOR: "1" }

test("shows the query, the scopes, the prompts and where the selected one was given", () => {
  const { lines, cursor } = frameOf(
    answer({ query: "fl 更", scope: "cwd" }, "Mend the\nflaky 更", "older"),
    60,
    9,
    PLAIN,
  )
  expect(lines.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "(time)"))).toEqual([
    "> fl 更",
    " all   repository  [cwd]  session    2",
    "> now  Mend the flaky 更",
    "   1m  older",
    "",
    "",
    "(time)  /p",
    "Enter prints  Esc leaves  ? keys  Tab changes the scope",
  ])
  expect(cursor).toBe(7)
})

test("reports of each prompt where it was given, where that can be anywhere, on a wide screen", () => {
  const given = (cwd: string | undefined, text: string) => ({ ...answer({}, text).prompts[0], cwd }) as Prompt
  const found = {
    ...answer({ scope: "all" }),
    prompts: [
      given("/home/me/shop", "Mend the flaky test of the login"),
      given("/变更日志/a/b/c", "更"),
      given(undefined, "c"),
    ],
  }
  const { lines } = frameOf(found, 60, 9, PLAIN)
  expect(lines.slice(2, 5)).toEqual([
    "> now  Mend the flaky test of the login               ~/shop",
    "  now  更                                    /变更日志/a/b/c",
    "  now  c",
  ])
})

test.each([
  [80, 24],
  [40, 10],
  [20, 6],
  [8, 3],
  [1, 1],
])("no line is wider than %i columns, and the last of %i rows stays free", (columns, rows) => {
  const wide = answer({ query: "查询".repeat(30) }, "变更日志👩‍👧".repeat(90), "x".repeat(9000), ...numbered(300))
  for (const env of [PLAIN, { FORCE_COLOR: "1" }, { LANG: "C", NO_COLOR: "1" }]) {
    const { lines, cursor } = frameOf(wide, columns, rows, env)
    expect(lines.length).toBe(Math.max(1, rows - 1))
    const widths = lines.map((line) => widthOf(stripVTControlCharacters(line)))
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(2, columns))
    expect(cursor).toBeLessThan(Math.max(3, columns))
  }
})

test("without colours there are no escape sequences, and the selected prompt is marked all the same", () => {
  const { lines } = frameOf(answer({}, "one", "two"), 60, 10, PLAIN)
  expect(lines.join("")).not.toMatch(/\p{Cc}/u)
  expect(lines.filter((line) => line.startsWith("> "))).toHaveLength(2)
})

test("stored control characters are not drawn, neither are those of the query", () => {
  const hostile = `a\u001b[2J\u001b]0;t\u0007b\u009bc\u202ed\r\ne`
  const found = { ...answer({ query: hostile }, hostile), notice: hostile }
  const { lines } = frameOf(found, 60, 10, PLAIN)
  expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  expect(lines[2]).toContain("ab\\x9bc\\u202ed e")
})

test("says why there is nothing, and that there is more than is shown", () => {
  expect(frameOf(answer({}), 60, 10, PLAIN).lines[2]).toBe("No prompt found.")
  const none = { ...answer({ scope: "session" }), notice: "There is no session of /p." }
  expect(frameOf(none, 60, 10, PLAIN).lines[2]).toBe("There is no session of /p.")
  expect(frameOf(answer({}, ...numbered(200)), 60, 10, PLAIN).lines[1]).toContain("   200+")
})

test("a frame of 50,000 long prompts looks at those in sight only", () => {
  let read = 0
  const readText = (): string => {
    read += 1
    return "word ".repeat(2000)
  }
  const found = answer({}, ...numbered(50_000))
  const counted = found.prompts.map((prompt) => Object.defineProperty({ ...prompt }, "text", { get: readText }))
  let state = initialState({ ...found, prompts: counted }, 19)
  state = press(state, { kind: "key", name: "end" })
  const look = { style: styleFor(OUTPUT, PLAIN, {}), now: TEST_START, home: undefined }
  promptFrame(state, look, { columns: 80, rows: 24 })
  expect(read).toBe(19)
})
