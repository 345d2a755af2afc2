import { describe, expect, it } from "vitest"
import { Background } from "../../src/session/listing/background.js"

/** Actions that end when they are told to. */
class Doings {
  readonly begun: number[] = []
  readonly workers: number[] = []
  readonly #ends = new Map<number, (result: number | Error) => void>()

  readonly act = (item: number, worker: number): Promise<number> => {
    this.begun.push(item)
    this.workers.push(worker)
    return new Promise((resolve, reject) =>
      this.#ends.set(item, (result) => (result instanceof Error ? reject(result) : resolve(result))),
    )
  }

  end(item: number, result: number | Error = item): void {
    this.#ends.get(item)?.(result)
  }
}

function given(workers: number, items: number) {
  const doings = new Doings()
  const background = new Background(workers, doings.act)
  for (let item = 1; item <= items; item++) background.add(item)
  return { doings, background }
}

const aWhile = () => new Promise((resolve) => setImmediate(resolve))

describe("what is done in the background", () => {
  it("is done so many at a time, and handed out as it comes", async () => {
    const { doings, background } = given(3, 5)
    expect([doings.begun, background.pending, background.take()]).toEqual([[1, 2, 3], 5, []])
    const next = background.next()
    doings.end(2)
    expect(await next).toEqual([2])
    await aWhile()
    expect([doings.begun, background.pending]).toEqual([[1, 2, 3, 4], 4])
    doings.end(4)
    doings.end(1)
    await aWhile()
    expect(background.take().sort()).toEqual([1, 4])
    const last = background.next()
    for (const item of [5, 3]) doings.end(item)
    expect([...(await last), ...(await background.next())].sort()).toEqual([3, 5])
    expect([background.pending, await background.next()]).toEqual([0, []])
  })

  it("never has two actions with the number of one worker", async () => {
    const { doings } = given(2, 4)
    expect(doings.workers).toEqual([0, 1])
    doings.end(2)
    await aWhile()
    doings.end(3)
    await aWhile()
    doings.end(1)
    await aWhile()
    expect(doings.workers).toEqual([0, 1, 1, 1])
  })

  it("fails with the first failure, and begins nothing more", async () => {
    const { doings, background } = given(2, 5)
    doings.end(2, new Error("broken"))
    await expect(background.next()).rejects.toThrow("broken")
    doings.end(1)
    await aWhile()
    expect(doings.begun).toEqual([1, 2])
    expect(() => background.take()).toThrow("broken")
    await background.stop()
  })

  it("ends when it is stopped, as soon as what was begun has ended", async () => {
    const { doings, background } = given(2, 5)
    let isStopped = false
    const stopped = background.stop().then(() => {
      isStopped = true
    })
    doings.end(1)
    await aWhile()
    expect(isStopped).toBe(false)
    doings.end(2, new Error("nobody asks any more"))
    await stopped
    expect(doings.begun).toEqual([1, 2])
  })
})
