import { expect, test } from "vitest"
import { sizeText } from "../../src/render/size.js"

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1_048_063, "1023 KB"],
  [1_048_575, "1.0 MB"],
  [3_565_158, "3.4 MB"],
  [1_048_471_142, "999.9 MB"],
  [5 * 1024 ** 3, "5.0 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
