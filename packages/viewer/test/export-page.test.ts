import { gunzipSync } from "node:zlib"
import { exportPage } from "@treelog/viewer"
import fc from "fast-check"
import { expect, test } from "vitest"

const PAGE = `<html><head><!--treelog:head--><title>treelog</title></head><body><script>app()</script><!--treelog:session--></body></html>`

async function exported(session: Iterable<string | Uint8Array>, title = "T", fileName = "s.jsonl"): Promise<string> {
  let html = ""
  for await (const piece of exportPage({ session, title, fileName, page: PAGE })) html += piece
  return html
}

/** What the page makes of the blocks. */
function sessionIn(html: string): Buffer {
  const blocks = [...html.matchAll(/<script type="application\/x-treelog-session">([^<]*)<\/script>/g)]
  return gunzipSync(Buffer.concat(blocks.map(([, base64 = ""]) => Buffer.from(base64, "base64"))))
}

test("What is put into a page comes out of it, whatever it holds.", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.uint8Array(), fc.string({ unit: "binary" }))), async (session) => {
      const whole = Buffer.concat(session.map((piece) => Buffer.from(piece as Uint8Array)))
      expect(sessionIn(await exported(session)).equals(whole)).toBe(true)
    }),
  )
})

test("A page has the elements that it always has, whatever the session, its title and its name hold.", async () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "</script><script>x</script>",
      "<!--<script>",
      "</title><img src=x>",
      "\" onload=x '",
      "$&$'$`",
      "-->",
    ),
  )
  const plain = await exported(["x"])
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (session, title, fileName) => {
      const html = await exported([session], title, fileName)
      const tags = (page: string): string[] => [...page.matchAll(/<[!/]?[a-z-]+/gi)].map(([tag]) => tag)
      expect(tags(html)).toEqual(tags(plain))
    }),
  )
})

test("A large session comes in many blocks, each a whole number of characters of base64.", async () => {
  const noise = Buffer.alloc(3_000_000)
  for (let index = 0, seed = 1; index < noise.length; index++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    noise[index] = seed >>> 16
  }
  const html = await exported([noise.subarray(0, 1_234_567), noise.subarray(1_234_567)])
  expect(html.match(/x-treelog-session/g)?.length).toBeGreaterThan(5)
  expect(sessionIn(html).equals(noise)).toBe(true)
  expect(html.endsWith('<script type="application/x-treelog-end"></script></body></html>')).toBe(true)
})

test("A fault of the session reaches whoever writes the page.", async () => {
  async function* torn(): AsyncGenerator<string> {
    yield "{}"
    throw new Error("The disk is gone.")
  }
  const pieces = exportPage({ session: torn(), title: "", fileName: "", page: PAGE })
  await expect(
    (async () => {
      for await (const _ of pieces);
    })(),
  ).rejects.toThrow("The disk is gone.")
})
