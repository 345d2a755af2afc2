import { describe, expect, it } from "vitest"
import { QuickCalls } from "../src/quick-calls.js"

/** Calls that take so long, in milliseconds; tells how each of them was made. */
async function made(times: readonly number[]): Promise<string> {
  let now = 0
  const calls = new QuickCalls(() => now)
  const ways: string[] = []
  for (const time of times) {
    const atOnce = () => {
      now += time
      return "s"
    }
    ways.push(await calls.call(atOnce, async () => "b"))
  }
  return ways.join("")
}

describe("a call that asks the system about a file", () => {
  it("is made at once as long as answers come at once", async () => {
    expect(await made(Array(200).fill(0.01))).toBe("s".repeat(200))
  })

  it("goes to the background after two slow answers, and is tried again later", async () => {
    const first = Array(8).fill(0.01)
    expect(await made([...first, 30, 0.01, 30, 30, ...Array(70).fill(30)])).toBe(
      `${"s".repeat(12)}${"b".repeat(64)}s${"b".repeat(5)}`,
    )
    expect(await made([...first, 30, 30, ...Array(66).fill(0.01), 30])).toBe(`${"s".repeat(10)}${"b".repeat(64)}sss`)
  })

  it("may take longer the first times, when code is loaded", async () => {
    expect(await made([...Array(8).fill(30), 0.01])).toBe("s".repeat(9))
  })

  it("fails as the call fails, whichever way it is made", async () => {
    const calls = new QuickCalls()
    const fail = () => {
      throw new Error("no such file")
    }
    await expect(calls.call(fail, async () => 1)).rejects.toThrow("no such file")
  })

  it("leaves the event loop to others after some milliseconds", async () => {
    let now = 0
    const calls = new QuickCalls(() => now)
    let others = 0
    const immediate = setImmediate(() => others++)
    for (let count = 0; count < 50; count++)
      await calls.call(
        () => {
          now += 0.4
        },
        async () => undefined,
      )
    clearImmediate(immediate)
    expect(others).toBe(1)
  })
})
