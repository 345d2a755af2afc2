import { NamedBlobs } from "@treelog/session-core/maintenance"
import { describe, expect, it } from "vitest"

const [ONE, TWO] = ["0123456789abcdef".repeat(4), "f".repeat(64)]
const TEXT = `{"data":"blob:sha256:${ONE}"}blob:sha256:blob:sha256:${TWO}`

describe("the scan for references", () => {
  it("finds them wherever the bytes are cut in two", () => {
    for (let cut = 0; cut <= TEXT.length; cut++)
      expect(scan([TEXT.slice(0, cut), TEXT.slice(cut)])).toEqual(new Set([ONE, TWO]))
  })

  it.each([1, 2, 7, 12, 64, 75, 76, 77])("finds them in chunks of %i bytes", (size) => {
    const chunks = TEXT.match(new RegExp(`.{1,${size}}`, "g")) ?? []
    expect(scan(chunks)).toEqual(new Set([ONE, TWO]))
  })

  it("finds them in bytes that are no text", () => {
    const around = new Uint8Array(300).fill(0xff)
    expect(scan([around, bytes(`blob:sha256:${ONE}`), around])).toEqual(new Set([ONE]))
  })

  it.each([
    ["a path", "blob:sha256:../../../../etc/passwd"],
    ["upper case", `blob:sha256:${TWO.toUpperCase()}`],
    ["a digit too few", `blob:sha256:${ONE.slice(1)}`],
    ["a NUL", `blob:sha256:${ONE.slice(1)}\0`],
    ["another prefix", `blob:sha512:${ONE}`],
  ])("takes %s for no reference", (_, text) => {
    expect(scan([text, " and more text that follows".repeat(4)])).toEqual(new Set())
  })

  it("lets the caller use one buffer for all chunks", () => {
    const buffer = new Uint8Array(50)
    const found = new Set<string>()
    const named = new NamedBlobs()
    for (let from = 0; from < TEXT.length; from += 50) {
      const part = bytes(TEXT.slice(from, from + 50))
      buffer.fill(0)
      buffer.set(part)
      for (const hash of named.in(buffer.subarray(0, part.length))) found.add(hash)
    }
    expect(found).toEqual(new Set([ONE, TWO]))
  })
})

function scan(chunks: readonly (string | Uint8Array)[]): Set<string> {
  const found = new Set<string>()
  const named = new NamedBlobs()
  for (const chunk of chunks)
    for (const hash of named.in(typeof chunk === "string" ? bytes(chunk) : chunk)) found.add(hash)
  return found
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
