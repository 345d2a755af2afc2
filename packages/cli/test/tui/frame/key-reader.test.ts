import { expect, test } from "vitest"
import { type KeyName, KeyReader } from "../../../src/tui/frame/key-reader.js"

const text = (written: string, isPasted = false) => ({ kind: "text", text: written, isPasted })
const key = (name: KeyName) => ({ kind: "key", name })

test.each([
  ["a letter", "a", {}, [text("a")]],
  ["wide text", "变更 ✅", {}, [text("变更 ✅")]],
  ["Enter", "\r", { return: true }, [key("enter")]],
  ["Escape", "", { escape: true, meta: true }, [key("escape")]],
  ["Ctrl-C", "c", { ctrl: true }, [key("ctrl-c")]],
  ["Ctrl-H", "h", { ctrl: true }, [key("backspace")]],
  ["Alt-X, which means nothing", "x", { meta: true }, []],
  ["Ctrl with something else, which means nothing", "", { ctrl: true }, []],
  ["Tab", "", { tab: true }, [key("tab")]],
  ["Shift-Tab", "", { tab: true, shift: true }, [key("shift-tab")]],
  ["Down", "", { downArrow: true }, [key("down")]],
  ["Left", "", { leftArrow: true }, [key("left")]],
  ["Page Up", "", { pageUp: true }, [key("page-up")]],
  ["Backspace, as ink names it", "", { delete: true }, [key("backspace")]],
  ["Alt-Backspace", "", { delete: true, meta: true }, [key("alt-backspace")]],
  ["text and keys in one piece", "ab\x7fc\r", {}, [text("ab"), key("backspace"), text("c"), key("enter")]],
  ["text and Ctrl-R in one piece", "ab\x12", {}, [text("ab"), key("ctrl-r")]],
  ["control characters, which are no text", "a\x00\x9bb", {}, [text("a"), text("b")]],
])("understands %s", (_, input, given, presses) => {
  expect(new KeyReader().read(input, given)).toEqual(presses)
})

test("what is pasted is text, with a space for every line break", () => {
  const reader = new KeyReader()
  const presses = ["[200~", "two\r\nlines\t", "\r", "[201~", "\r"].flatMap((input) =>
    reader.read(input, { return: input === "\r" }),
  )
  expect(presses).toEqual([text("two  lines ", true), text(" ", true), key("enter")])
})
