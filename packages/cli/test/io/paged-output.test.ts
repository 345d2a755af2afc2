import fc from "fast-check"
import { expect, test } from "vitest"
import type { Output, RunningPager } from "../door.js"
import { PagedOutput } from "../door.js"

interface Paged {
  readonly output: PagedOutput
  /** What was written without a pager. */
  readonly screen: () => string
  /** What the pager got; undefined where it was not started. */
  readonly pager: () => string | undefined
  readonly hasEnded: () => boolean
}

function paged(rows: number, { canStart = true, takes = Number.POSITIVE_INFINITY } = {}): Paged {
  const screen: unknown[] = []
  let got: unknown[] | undefined
  let hasEnded = false
  const direct: Output = { isTTY: true, columns: 20, rows, write: async (text) => void screen.push(text) }
  const start = async (): Promise<RunningPager | undefined> => {
    if (!canStart) return undefined
    const taken: unknown[] = []
    got = taken
    return {
      write: async (text) => {
        if (taken.length >= takes) throw Object.assign(new Error("gone"), { code: "EPIPE" })
        taken.push(text)
      },
      end: async () => {
        hasEnded = true
      },
      ended: new Promise(() => {}),
    }
  }
  return {
    output: new PagedOutput(direct, start),
    screen: () => screen.join(""),
    pager: () => got?.join(""),
    hasEnded: () => hasEnded,
  }
}

test("whatever is written arrives once and in order: on the screen where it fits there, else in the pager", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "\n", "变"), maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 10 }), async (texts, rows) => {
      const { output, screen, pager } = paged(rows)
      for (const text of texts) await output.write(text)
      await output.end()
      expect(screen() + (pager() ?? "")).toBe(texts.join(""))
      expect(screen() === "" || pager() === undefined).toBe(true)
    }),
  )
})

test("a text of as many rows as the screen has is paged, since the prompt takes one", async () => {
  const four = paged(5)
  await four.output.write("1\n2\n3\n4\n")
  await four.output.end()
  expect([four.screen(), four.pager()]).toEqual(["1\n2\n3\n4\n", undefined])
  const five = paged(5)
  await five.output.write("1\n2\n3\n4\n5\n")
  await five.output.end()
  expect([five.screen(), five.pager(), five.hasEnded()]).toEqual(["", "1\n2\n3\n4\n5\n", true])
})

test("lines that are wider than the screen count for each of its rows, colours for none", async () => {
  const wide = paged(5)
  await wide.output.write(`${"x".repeat(100)}\n`)
  expect(wide.pager()).toBe(`${"x".repeat(100)}\n`)
  const painted = paged(5)
  await painted.output.write(`${"\u001b[1m".repeat(50)}x\n`)
  expect(painted.pager()).toBeUndefined()
  await painted.output.end()
})

test("what comes slowly is paged without waiting for the rest", async () => {
  const { output, pager } = paged(24)
  await output.write("first\n")
  expect(pager()).toBeUndefined()
  await expect.poll(() => pager()).toBe("first\n")
  await output.write("second\n")
  expect(pager()).toBe("first\nsecond\n")
  await output.end()
})

test("where no pager can be started, the screen gets everything", async () => {
  const { output, screen } = paged(2, { canStart: false })
  for (const text of ["one\n", "two\n", "three\n"]) await output.write(text)
  await output.end()
  expect(screen()).toBe("one\ntwo\nthree\n")
})

test("who leaves the pager ends the writing, as who closes a pipe, and the end is quiet", async () => {
  const { output, hasEnded } = paged(1, { takes: 1 })
  await output.write("12345\n")
  await expect(output.write("more\n")).rejects.toMatchObject({ code: "EPIPE" })
  await expect(output.write("more\n")).rejects.toMatchObject({ code: "EPIPE" })
  await output.end()
  expect(hasEnded()).toBe(true)
})
