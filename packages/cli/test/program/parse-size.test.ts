import { expect, test } from "vitest"
import { parseSize } from "../../src/program/parse-size.js"

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
  expect(parseSize(text)).toBe(bytes)
})

test.each(["", "mb", "-1", "1e3", "1 000", "1pb", "a lot", "1.2345g", "5ib", "1bi"])("`%s` is no size.", (text) => {
  expect(parseSize(text)).toBeUndefined()
})
