import { describe, expect, it } from "vitest"
import { inAnyOrder } from "../../src/session/find/in-any-order.js"
import { Pool } from "../../src/session/find/pool.js"

/** Actions that end when they are told to. */
class Doings {
  readonly begun: number[] = []
  readonly #ends = new Map<number, (result: number | Error) => void>()

  readonly act = (item: number): Promise<number> => {
    this.begun.push(item)
    return new Promise((resolve, reject) =>
      this.#ends.set(item, (result) => (result instanceof Error ? reject(result) : resolve(result))),
    )
  }

  end(item: number, result: number | Error = item): void {
    this.#ends.get(item)?.(result)
  }
}

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) yield number
}

const aWhile = () => new Promise((resolve) => setImmediate(resolve))

describe("inAnyOrder", () => {
  it("yields results as they come, and begins no more than so many at a time", async () => {
    const doings = new Doings()
    const results = inAnyOrder(numbers(5), 3, doings.act)
    const first = results.next()
    await aWhile()
    expect(doings.begun).toEqual([1, 2, 3])
    doings.end(2)
    expect(await first).toEqual({ done: false, value: 2 })
    const second = results.next()
    await aWhile()
    expect(doings.begun).toEqual([1, 2, 3, 4])
    doings.end(4)
    expect((await second).value).toBe(4)
    const rest = [results.next(), results.next(), results.next(), results.next()]
    await aWhile()
    for (const item of [5, 3, 1]) doings.end(item)
    expect(
      (await Promise.all(rest))
        .map(({ value }) => value)
        .slice(0, 3)
        .sort(),
    ).toEqual([1, 3, 5])
    expect(await results.next()).toEqual({ done: true, value: undefined })
  })

  it("begins nothing before it is asked, and nothing more when it is left", async () => {
    const doings = new Doings()
    let isLeft = false
    async function* watched(): AsyncGenerator<number> {
      try {
        yield* numbers(100)
      } finally {
        isLeft = true
      }
    }
    const results = inAnyOrder(watched(), 2, doings.act)
    await aWhile()
    expect(doings.begun).toEqual([])
    const first = results.next()
    await aWhile()
    doings.end(1)
    await first
    await results.return(undefined)
    doings.end(2)
    await aWhile()
    expect(doings.begun.length).toBeLessThanOrEqual(3)
    expect(isLeft).toBe(true)
  })

  it("fails with the first failure, of an action or of the items", async () => {
    const doings = new Doings()
    const results = inAnyOrder(numbers(5), 2, doings.act)
    const first = results.next()
    await aWhile()
    doings.end(2, new Error("broken"))
    await expect(first).rejects.toThrow("broken")
    async function* failing(): AsyncGenerator<number> {
      yield 1
      throw new Error("no more")
    }
    const others = inAnyOrder(failing(), 2, async (item) => item)
    await expect(others.next().then(() => others.next())).rejects.toThrow("no more")
  })

  it("yields nothing of nothing", async () => {
    expect(await inAnyOrder(numbers(0), 2, async (item) => item).next()).toEqual({ done: true, value: undefined })
  })
})

describe("a pool", () => {
  it("makes no more things than it may, and hands each on, also after a failure", async () => {
    let made = 0
    const pool = new Pool(2, () => ++made)
    const [first, second] = [new Doings(), new Doings()]
    const held: number[] = []
    const use = (doings: Doings, item: number) =>
      pool.with((thing) => {
        held.push(thing)
        return doings.act(item)
      })
    const uses = [use(first, 1), use(first, 2), use(second, 3)]
    await aWhile()
    expect([made, held, second.begun]).toEqual([2, [1, 2], []])
    first.end(2, new Error("broken"))
    await expect(uses[1]).rejects.toThrow("broken")
    await aWhile()
    expect([made, held, second.begun]).toEqual([2, [1, 2, 2], [3]])
    first.end(1)
    second.end(3)
    expect(await Promise.all([uses[0], uses[2]])).toEqual([1, 3])
  })
})
