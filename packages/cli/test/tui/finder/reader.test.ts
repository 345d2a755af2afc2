import { expect, test } from "vitest"
import { Reader, styleFor } from "../../door.js"
import { key, LOOK, text } from "../look.js"

const SIZE = { columns: 80, rows: 7 }
const EARLIER = ["a needle above", "before"]

/** 40 lines; every tenth has a needle, from the fifth on. */
function reader(found: readonly string[] = []): Reader {
  const lines = Array.from({ length: 40 }, (_, at) => (at % 10 === 5 ? `line ${at} has a Needle` : `line ${at}`))
  return new Reader({ lines: lines.values(), earlier: () => EARLIER, found })
}

const linesOf = (made: Reader): string[] => made.frame(LOOK, SIZE).lines.map((line) => line.trimEnd())

function type(made: Reader, written: string): void {
  for (const sign of written) made.press(text(sign))
}

test("begins at what was found, with who says it above, and marks it", () => {
  const made = reader(["needle"])
  expect(linesOf(made).slice(0, 3)).toEqual(["line 3", "line 4", "line 5 has a Needle"])
  const style = styleFor({ isTTY: true, columns: 80 }, { FORCE_COLOR: "1" }, {})
  const [, , marked] = made.frame({ ...LOOK, style }, SIZE).lines
  expect(marked).toBe(`line 5 has a ${style.paint(["bold", "yellow"], "Needle")}`)
})

test("/ searches, n goes on to the next place, N back, also above where it began", () => {
  const made = reader()
  type(made, "/needle")
  expect(linesOf(made).at(-1)).toBe("/needle")
  made.press(key("enter"))
  expect(linesOf(made)[0]).toBe("line 5 has a Needle")
  type(made, "n")
  expect(linesOf(made)[0]).toBe("line 15 has a Needle")
  type(made, "NN")
  expect(linesOf(made)[0]).toBe("a needle above")
  type(made, "N")
  expect(linesOf(made).at(-1)).toBe("Nothing more above.")
  type(made, "nnnnn")
  expect(linesOf(made).at(-1)).toBe("Nothing more below.")
})

test("Escape leaves the search first, and then the reader", () => {
  const made = reader()
  type(made, "/q")
  expect(made.press(key("escape"))).toBe(true)
  expect(made.press(text("q"))).toBe(false)
})

test("signs of regular expressions are searched for as they are", () => {
  const made = new Reader({ lines: ["a.b", "axb (1+1)"].values(), earlier: () => [], found: ["(1+1)"] })
  expect(linesOf(made)[0]).toBe("a.b")
  type(made, "/[")
  made.press(key("enter"))
  expect(linesOf(made).at(-1)).toBe("Nothing more below.")
})
