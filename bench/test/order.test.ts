import { expect, test } from "vitest"
import { hasAll } from "../src/ask.js"
import { readOrder } from "../src/order.js"
import { QUESTIONS, questionNamed } from "../src/questions.js"

test("Questions, words of cases and a number of rounds can be asked for.", () => {
  expect(readOrder([])).toEqual({ questions: [], words: [], rounds: undefined, list: false })
  expect(readOrder(["open", "load", "--case", "300", "--case", "pi", "--rounds", "1"])).toEqual({
    questions: ["open", "load"],
    words: ["300", "pi"],
    rounds: 1,
    list: false,
  })
})

test.each(["0", "-1", "1.5", "many", ""])("%j is no number of rounds.", (rounds) => {
  expect(() => readOrder([`--rounds=${rounds}`])).toThrow("--rounds takes a whole number from 1")
})

test("A case is picked when its name has all the words, in any case of letters.", () => {
  expect(hasAll("50k entries, 300 MB, by pi", ["300 mb", "PI"])).toBe(true)
  expect(hasAll("50k entries, 300 MB, by pi", ["300 mb", "treelog"])).toBe(false)
})

test("A question that is not there is named, with those that are.", async () => {
  await expect(questionNamed("toString")).rejects.toThrow('no question "toString"; there are open, small,')
})

test.each(Object.keys(QUESTIONS))(
  "The names of the cases of %s are different, and it has the name that it is asked by.",
  async (name) => {
    const { name: own, cases } = await questionNamed(name)
    expect(own).toBe(name)
    expect(new Set(cases.map((each) => each.name)).size).toBe(cases.length)
  },
)

test.each(Object.keys(QUESTIONS))("The bars of %s name who takes part.", async (name) => {
  const { cases } = await questionNamed(name)
  for (const { name: caseName, contenders, probes = {}, bars = [] } of cases)
    for (const bar of bars) {
      const known = [...Object.keys(contenders), ...Object.keys(probes)]
      expect(known, caseName).toContain(bar.contender)
      if ("beside" in bar) expect(known, caseName).toContain(bar.beside)
      if ("besideCase" in bar)
        expect(
          cases.map((each) => each.name),
          caseName,
        ).toContain(bar.besideCase)
    }
})
