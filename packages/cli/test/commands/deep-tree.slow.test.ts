import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { sandbox } from "../sandbox.js"

const COUNT = 30_000

/** One entry under the other. */
const chain = entriesUnder((index) => index - 1)
/** A branch at every second entry, each one level deeper. */
const stairs = entriesUnder((index) => index - 1 - (index % 2))

describe("30,000 entries", () => {
  test("a chain is drawn a line each, and given as flat JSON", async () => {
    const box = sandbox()
    const label = { type: "label", id: "label", parentId: null, timestamp: "", targetId: `e${COUNT - 1}`, label: "end" }
    box.store([...chain, label])
    const { code, stdout } = await box.run(["tree"])
    expect(code).toBe(0)
    expect(stdout.split("\n")).toHaveLength(COUNT + 1)
    const { json } = await box.run(["tree", "--filter", "labeled-only", "--json"])
    expect(json[0]?.nodes).toMatchObject([{ id: `e${COUNT - 1}`, parentId: null, label: "end" }])
  })

  test("15,000 branches within each other are drawn without lines of their length", async () => {
    const box = sandbox()
    box.store(stairs)
    const { stdout } = await box.run(["tree"])
    const lines = stdout.split("\n")
    expect(lines).toHaveLength(COUNT + 1)
    expect(Math.max(...lines.slice(0, 1000).map(({ length }) => length))).toBeLessThan(80)
    expect(stdout.length).toBeLessThan(100 * COUNT)
  })

  test("a transcript and a context are printed", async () => {
    const box = sandbox()
    box.store(chain)
    expect((await box.run(["show"])).stdout).toContain(`said ${COUNT - 1}`)
    expect((await box.run(["context"])).stdout).toContain(`said ${COUNT - 1}`)
  })
})

function entriesUnder(parentOf: (index: number) => number): object[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const parent = parentOf(index)
    return userEntry(`e${index}`, parent < 0 ? null : `e${parent}`, `said ${index}`)
  })
}
