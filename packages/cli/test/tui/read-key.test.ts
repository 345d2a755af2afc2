import { expect, test } from "vitest"
import { KeyReader } from "../../src/tui/read-key.js"

const ERASE = { kind: "erase", what: "character" }

test.each([
  ["a letter", "a", {}, [{ kind: "type", text: "a" }]],
  ["wide text", "变更 ✅", {}, [{ kind: "type", text: "变更 ✅" }]],
  ["Enter", "\r", { return: true }, [{ kind: "accept" }]],
  ["Escape", "", { escape: true, meta: true }, [{ kind: "leave" }]],
  ["Ctrl-C", "c", { ctrl: true }, [{ kind: "leave" }]],
  ["Ctrl-U", "u", { ctrl: true }, [{ kind: "erase", what: "all" }]],
  ["Ctrl-W", "w", { ctrl: true }, [{ kind: "erase", what: "word" }]],
  ["Ctrl-X, which means nothing", "x", { ctrl: true }, []],
  ["Alt-X, which means nothing", "x", { meta: true }, []],
  ["Tab", "", { tab: true }, [{ kind: "scope", by: 1 }]],
  ["Shift-Tab", "", { tab: true, shift: true }, [{ kind: "scope", by: -1 }]],
  ["Down", "", { downArrow: true }, [{ kind: "move", by: 1 }]],
  ["Page Up", "", { pageUp: true }, [{ kind: "page", by: -1 }]],
  ["Backspace, as ink names it", "", { delete: true }, [ERASE]],
  [
    "text and keys in one piece",
    "ab\x7fc\r",
    {},
    [{ kind: "type", text: "ab" }, ERASE, { kind: "type", text: "c" }, { kind: "accept" }],
  ],
  [
    "control characters, which are no text",
    "a\x00\x9bb",
    {},
    [
      { kind: "type", text: "a" },
      { kind: "type", text: "b" },
    ],
  ],
])("understands %s", (_, input, key, actions) => {
  expect(new KeyReader().read(input, key)).toEqual(actions)
})

test("what is pasted is text, with a space for every line break", () => {
  const reader = new KeyReader()
  const actions = ["[200~", "two\r\nlines\t", "\r", "[201~", "\r"].flatMap((input) =>
    reader.read(input, { return: input === "\r" }),
  )
  expect(actions).toEqual([{ kind: "type", text: "two  lines " }, { kind: "type", text: " " }, { kind: "accept" }])
})
