import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"

const KB = 1024

// With a twenty-fifth of room.
test("the whole page takes no more than it should", async () => {
  const { html } = await builtPage()
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(490 * KB)
  expect(gzipSync(html, { level: 9 }).length).toBeLessThanOrEqual(167.9 * KB)
})
