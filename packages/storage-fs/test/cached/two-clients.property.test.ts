import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import type { StoredRanges } from "@treelog/session-core/adapter"
import fc from "fast-check"
import { expect, test } from "vitest"
import { AT_ONCE } from "../store.js"
import { KB, sample, sum } from "./bytes.js"
import { KEY, scene } from "./scene.js"

// Two clients write and read two sessions in any order: one with a mirror, and sometimes another one over the same folder, one
// without. Whatever is read is what the remote storage has.

const KEYS = [KEY, `${KEY}-other`] as const
type Client = "cached" | "second" | "direct"

type Write =
  | { readonly do: "append" | "replace"; readonly by: Client; readonly key: number; readonly length: number }
  | { readonly do: "remove" | "move"; readonly by: Client; readonly key: number }
type Read =
  | { readonly do: "open" | "openSome"; readonly by: Client; readonly key: number }
  | { readonly do: "readRange"; readonly by: Client; readonly key: number; readonly range: readonly [number, number] }
type Step = Write | Read | { readonly do: "close" | "restart" }

const writer = fc.constantFrom<Client>("cached", "second", "direct")
const reader = fc.constantFrom("cached" as const, "second" as const)
const key = fc.nat(1)
// Less than 64 KB, and more than that, get different treatment.
const length = fc.noBias(fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 60 * KB, max: 100 * KB })))
const range = fc.tuple(
  fc.noBias(fc.oneof(fc.constant(0), fc.nat(200 * KB))),
  fc.noBias(fc.oneof(length, fc.constant(500 * KB))),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("append" as const), by: writer, key, length }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replace" as const), by: writer, key, length }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("remove" as const, "move" as const), by: writer, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("open" as const, "openSome" as const), by: reader, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("readRange" as const), by: reader, key, range }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("close" as const, "restart" as const) }) },
)

/** Synchronous reads, and the bytes that the object had when they were opened. */
interface Opened {
  readonly ranges: StoredRanges
  readonly bytes: Uint8Array
}

async function run(steps: readonly Step[]): Promise<void> {
  const { memory, cached, store } = scene()
  for (const [seed, at] of KEYS.entries()) await store(at, sample(150 * KB, 1000 + seed))
  let clients: Record<Client, SessionStorage> = { cached: cached(), second: cached(), direct: memory }
  const opened: Opened[] = []

  async function write(step: Write, seed: number): Promise<void> {
    const [client, at] = [clients[step.by], KEYS[step.key] ?? KEY]
    const lease = await client.lease(at, AT_ONCE)
    const stat = await client.stat(at)
    const bytes = "length" in step ? sample(step.length, seed) : new Uint8Array()
    if (step.do === "remove") await lease.remove()
    else if (step.do === "move") {
      if (stat) await lease.move(KEYS[1 - step.key] ?? KEY).catch(ifTaken)
    } else if (!stat) await lease.create([bytes])
    else if (step.do === "append") await lease.append(bytes, stat)
    else await lease.replace([bytes], { expected: stat })
    await lease.release()
  }

  async function read(step: Read): Promise<void> {
    const [client, at] = [clients[step.by], KEYS[step.key] ?? KEY]
    const stat = await client.stat(at)
    expect(stat).toEqual(await memory.stat(at))
    if (!stat) return
    if (step.do === "readRange") {
      const read = await client.readRange(at, ...step.range, stat.identity)
      expect(sum(read)).toBe(sum(await memory.readRange(at, ...step.range)))
      return
    }
    const ranges = await client.openRanges?.(at, stat.identity, step.do === "open" ? "all" : "some")
    if (step.do === "open") expect(ranges).toBeDefined()
    if (ranges) opened.push({ ranges, bytes: await memory.readRange(at, 0, stat.size) })
  }

  for (const [seed, step] of steps.entries()) {
    switch (step.do) {
      case "close":
        opened.shift()?.ranges.close()
        break
      case "restart":
        clients = { cached: cached(), second: cached(), direct: memory }
        break
      case "open":
      case "openSome":
      case "readRange":
        await read(step)
        break
      default:
        await write(step, seed)
    }
    // What is open is still what it was, whatever became of the key.
    for (const { ranges, bytes } of opened) expect(Buffer.compare(ranges.read(0, bytes.length), bytes)).toBe(0)
  }
  for (const { ranges } of opened) ranges.close()
}

function ifTaken(error: unknown): void {
  if (!isTreelogError(error, "SessionExistsError")) throw error
}

test("two clients with mirrors read what the remote storage has, whatever they and a third one write", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: "max" }), run), {
    numRuns: 30,
  })
})
