import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import fc from "fast-check"
import { afterEach, describe, expect, it } from "vitest"
import { tries } from "../../test-kit/src/index.js"
import { lineStorage, readAll, wholeOf } from "./line-source.js"

type Made = Awaited<ReturnType<typeof lineStorage>>

const opened: Made[] = []

async function setup(...args: Parameters<typeof lineStorage>) {
  const made = await lineStorage(...args)
  opened.push(made)
  return made
}

afterEach(async () => {
  for (const { remove } of opened.splice(0)) await remove()
})

const START = "/home/ada/shop\nhello\n---\n"
/** Of `!`, the line before it is another from then on; `---` is a place to go on from. */
const growth = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("more\n", "---\n", `${"x".repeat(3000)}\n`, "a\n---\nb\n", "b\n!\n") },
  { weight: 1, arbitrary: fc.constantFrom("!\n", "cut", "rewrite", "reopen", "lost", "damaged") },
)

async function change(made: Made, key: string, what: string): Promise<void> {
  const { cacheDir } = made
  const folder = join(cacheDir, "agents", "lines", "converted")
  if (what === "cut") await truncate(key, START.length)
  else if (what === "rewrite") await writeFile(key, (await readFile(key, "utf8")).replace("hello", "jello"))
  else if (what === "lost" || what === "damaged") {
    const names = await readdir(folder)
    const name = names[Number(what.length + names.length) % names.length]
    if (name) await writeFile(join(folder, name), what === "lost" ? "" : "?".repeat(300))
  } else if (what !== "reopen") await appendFile(key, what)
}

describe("a conversion that goes on where it stopped", () => {
  it("gives the bytes, the facts and the identity that one from the start gives, however the source grows", async () => {
    let resumed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(growth, { minLength: 1, maxLength: 24 }), async (steps) => {
        const made = await setup()
        const key = made.path("a")
        await writeFile(key, START)
        let storage = made.storage
        let before = await readAll(storage, key)
        for (const step of steps) {
          await change(made, key, step)
          if (["reopen", "lost", "damaged"].includes(step)) storage = made.open().storage
          const { identity, ...now } = await readAll(storage, key)
          expect(now).toEqual(await wholeOf(made, key))
          expect(identity === before.identity).toBe(now.text.startsWith(before.text))
          before = { identity, ...now }
        }
        resumed += made.source.resumed
        await made.remove()
      }),
      { numRuns: tries(150) },
    )
    expect(resumed).toBeGreaterThan(10)
  })

  it("costs what is new: former bytes are not written again, and a session has few files", async () => {
    const made = await setup()
    const { storage, source, cacheDir } = made
    const key = made.path("a")
    await writeFile(key, `/home/ada/shop\n${`${"x".repeat(1000)}\n`.repeat(1000)}---\nhello\n`)
    await storage.statContent(key)
    const folder = join(cacheDir, "agents", "lines", "converted")
    const [first = ""] = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"))
    for (let turn = 0; turn < 60; turn++) {
      await appendFile(key, turn % 3 === 0 ? "---\nmore\n" : "more\n")
      await storage.statContent(key)
      const names = await readdir(folder)
      expect(names).toContain(first)
      expect(names.length).toBeLessThanOrEqual(8)
      expect(names.filter((name) => name.endsWith(".state"))).toHaveLength(1)
    }
    expect(source.resumed).toBe(60)
    const { identity: _, ...now } = await readAll(storage, key)
    expect(now).toEqual(await wholeOf(made, key))
    const session = await new SessionManager({ storage, anyFile: true }).open(key, { access: "read" })
    expect(session.getEntries()).toHaveLength(1000 + 2 + 60 + 20)
    await session.close()
  })

  it("converts the whole for a report", async () => {
    const made = await setup()
    const key = made.path("a")
    await writeFile(key, START)
    await made.storage.statContent(key)
    await appendFile(key, "more\n")
    const before = await made.storage.statContent(key)
    expect(made.source.resumed).toBe(1)
    expect(await made.storage.report(key)).toMatchObject({ lines: 4 })
    expect(await made.storage.statContent(key)).toEqual(before)
  })
})
