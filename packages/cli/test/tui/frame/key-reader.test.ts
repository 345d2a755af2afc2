import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { type KeyName, type KeyPress, readKeys } from "../../door.js"

const text = (written: string, isPasted = false) => ({ kind: "text", text: written, isPasted })
const key = (name: KeyName) => ({ kind: "key", name })

/** A terminal, and what was read of it. */
function terminal(): { input: PassThrough; presses: KeyPress[]; stop: () => void } {
  const input = new PassThrough()
  const presses: KeyPress[] = []
  return { input, presses, stop: readKeys(input, (press) => presses.push(press)) }
}

test.each([
  ["a letter", "a", [text("a")]],
  ["a space", " ", [text(" ")]],
  ["wide text", "变更 ✅ 👩‍👩‍👧", [text("变更 ✅ 👩‍👩‍👧")]],
  ["Enter", "\r", [key("enter")]],
  ["Escape", "\x1b", [key("escape")]],
  ["Ctrl-C", "\x03", [key("ctrl-c")]],
  ["Ctrl-H", "\b", [key("backspace")]],
  ["Alt-X, which means nothing", "\x1bx", []],
  ["F5, which means nothing", "\x1b[15~", []],
  ["Ctrl with something else, which means nothing", "\x00\x1c", []],
  ["Tab", "\t", [key("tab")]],
  ["Shift-Tab", "\x1b[Z", [key("shift-tab")]],
  ["Down", "\x1b[B", [key("down")]],
  ["Down in application mode", "\x1bOB", [key("down")]],
  ["Left", "\x1b[D", [key("left")]],
  ["Page Up", "\x1b[5~", [key("page-up")]],
  ["Home and End, in two forms each", "\x1b[H\x1b[1~\x1b[F\x1b[4~", [key("home"), key("home"), key("end"), key("end")]],
  ["Backspace", "\x7f", [key("backspace")]],
  ["Alt-Backspace", "\x1b\x7f", [key("alt-backspace")]],
  ["text and keys in one piece", "ab\x7fc\r", [text("ab"), key("backspace"), text("c"), key("enter")]],
  ["text and Ctrl-R in one piece", "ab\x12", [text("ab"), key("ctrl-r")]],
  ["control characters, which are no text", "a\x00\x9bb", [text("ab")]],
])("understands %s", async (_, bytes, expected) => {
  const { input, presses } = terminal()
  input.write(bytes)
  await setImmediate()
  await vi.waitFor(() => expect(presses).toEqual(expected))
})

test("what is pasted is text, with a space for every line break, in however many pieces it comes", async () => {
  const { input, presses } = terminal()
  for (const piece of ["x\x1b[200~two\r\nlines\t", "\x03\r", "\x1b[201~\r"]) input.write(piece)
  await vi.waitFor(() => expect(presses.at(-1)).toEqual(key("enter")))
  expect(presses[0]).toEqual(text("x"))
  const pasted = presses.slice(1, -1).map((press) => (press.kind === "text" && press.isPasted ? press.text : undefined))
  expect(pasted.join("")).toBe("two  lines  ")
})

test("a character in two pieces is one", async () => {
  const { input, presses } = terminal()
  const bytes = Buffer.from("变")
  input.write(bytes.subarray(0, 1))
  input.write(bytes.subarray(1))
  await vi.waitFor(() => expect(presses).toEqual([text("变")]))
})

test("nothing is read after the end", async () => {
  const { input, presses, stop } = terminal()
  stop()
  input.write("a")
  await setImmediate()
  expect(input.isPaused()).toBe(true)
  expect(presses).toEqual([])
})
