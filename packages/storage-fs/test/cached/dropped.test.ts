import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { beforeCall } from "../before-call.js"
import { appendTo, KB, readThrough, sample, sum } from "./bytes.js"
import { KEY, scene } from "./scene.js"

const REMOVALS = {
  "all of it": (folder: string) => rmSync(folder, { recursive: true }),
  "its files": (folder: string) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  },
}

/** Reads a session of which a part is mirrored, appends to it, and reads it again. Another process drops the mirror at a call. */
async function readWhileDropped(call: number, remove: (folder: string) => void) {
  const { store, append, cached, folder } = scene()
  await store(KEY, sample(300 * KB))
  const first = cached()
  await readThrough(first, KEY)
  await first.settled()
  await append(KEY, sample(200 * KB, 2))
  const { fs, count } = beforeCall(call, () => {
    for (const name of readdirSync(folder)) remove(join(folder, name))
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

test.each(Object.entries(REMOVALS))(
  "another process may drop the mirror at any call, %s: the bytes are right, and it is no fault",
  async (_, remove) => {
    const { sums, count } = await readWhileDropped(Number.POSITIVE_INFINITY, remove)
    expect(count).toBeGreaterThan(20)
    for (let call = 1; call <= count; call++)
      expect(await readWhileDropped(call, remove)).toMatchObject({ sums, faults: [] })
  },
)
