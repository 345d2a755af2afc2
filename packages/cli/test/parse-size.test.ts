import { expect, test } from "vitest"
import { parseSize } from "../src/parse-size.js"

test.each([
  ["0", 0],
  ["512", 512],
  ["1k", 1024],
  ["200 KB", 204_800],
  ["1.5mb", 1_572_864],
  ["2GiB", 2_147_483_648],
  ["1t", 1_099_511_627_776],
])("`%s` is %i bytes.", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each(["", "mb", "-1", "1e3", "1 000", "1pb", "a lot", "1.2345g"])("`%s` is no size.", (text) => {
  expect(parseSize(text)).toBeUndefined()
})
