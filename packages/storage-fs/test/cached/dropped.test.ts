import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { nodeFs } from "../../src/index.js"
import { appendTo, KB, readThrough, sample, sum } from "./bytes.js"
import { KEY, scene } from "./scene.js"

/** A file system that does something before the call with this number; and how many calls there were. */
function before(call: number, work: () => void) {
  let count = 0
  const fs = new Proxy(nodeFs, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== "function") return member
      return (...args: unknown[]) => {
        count += 1
        if (count === call) work()
        return member.apply(target, args)
      }
    },
  })
  return { fs, count: () => count }
}

/** Reads a session of which a part is mirrored, appends to it, and reads it again. Another process drops the mirror at a call. */
async function readWhileDropped(call: number) {
  const { store, append, cached, folder } = scene()
  await store(KEY, sample(300 * KB))
  const first = cached()
  await readThrough(first, KEY)
  await first.settled()
  await append(KEY, sample(200 * KB, 2))
  const { fs, count } = before(call, () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  })
  const faults: Error[] = []
  const storage = cached({ fs, onCacheError: (error) => faults.push(error) })
  const sums = [sum(await readThrough(storage, KEY))]
  await storage.settled()
  await appendTo(storage, KEY, sample(100 * KB, 3))
  sums.push(sum(await readThrough(storage, KEY)))
  await storage.settled()
  return { sums, faults, count: count() }
}

test("another process may drop the mirror at any call: the bytes are right, and it is no fault", async () => {
  const { sums, count } = await readWhileDropped(Number.POSITIVE_INFINITY)
  expect(count).toBeGreaterThan(20)
  for (let call = 1; call <= count; call++) expect(await readWhileDropped(call)).toMatchObject({ sums, faults: [] })
})
