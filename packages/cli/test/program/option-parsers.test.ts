import { expect, test } from "vitest"
import { commandTable } from "../command-table.js"

/** What an option of `delete` makes of a text. */
function parsed(flag: string, text: string): unknown {
  const { part } = commandTable.find(({ name }) => name === "delete") ?? {}
  const [, , { parse } = {}] = part?.options?.find(([flags]) => flags.startsWith(flag)) ?? []
  if (!parse) throw new Error(`${flag} has no parser`)
  return parse(text)
}

test.each([
  ["0", 0],
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1.5h", 5_400_000],
  ["1d", 86_400_000],
  ["2w", 1_209_600_000],
])("%s is %i milliseconds", (text, ms) => {
  expect(parsed("--older-than", text)).toBe(ms)
})

test.each(["", "1", "d", "-1d", "1 d", "1D", "1d2h", "Infinityd", "1e3s", "1y", "1__proto__"])(
  "%j is no duration",
  (text) => {
    expect(() => parsed("--older-than", text)).toThrow("It must be a time such as 90s")
  },
)

test.each([
  ["0", 0],
  ["512", 512],
  ["1k", 1000],
  ["200 KB", 200_000],
  ["1.5mb", 1_500_000],
  ["2GB", 2_000_000_000],
  ["2GiB", 2_147_483_648],
  ["1 ki", 1024],
  ["1t", 10 ** 12],
])("`%s` is %i bytes.", (text, bytes) => {
  expect(parsed("--max-size", text)).toBe(bytes)
})

test.each(["", "mb", "-1", "1e3", "1 000", "1pb", "a lot", "1.2345g", "5ib", "1bi"])("`%s` is no size.", (text) => {
  expect(() => parsed("--max-size", text)).toThrow("It must be a size such as 500mb")
})
