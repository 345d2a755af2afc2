import { createHash } from "node:crypto"
import { S3BlobStore } from "@treelog/blob-store-s3"
import { isTreelogError } from "@treelog/session-core"
import { tries } from "@treelog-internal/test-kit"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { engineOf, optionsFor } from "./engines.js"
import { stubCrypto, VirtualTime } from "./virtual-time.js"

// Sweeps and puts at the same time, with requests that take up to four seconds on their way there, and as long on their way back, with
// connections that break, and credentials that sometimes take half a minute.

const LONGEST_MS = 4_000
const DAY = 86_400_000

const texts = Array.from({ length: 6 }, (_, number) => `blob ${number}`)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

/** Random numbers that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One sweep, or two, beside four writers of blobs that are old. Resolves to what was reported as stored and is not there. */
async function trial(seed: number) {
  const random = randomOf(seed)
  const time = new VirtualTime()
  const fake = new FakeS3()
  for (const text of texts)
    fake.objects.set(`p/${hashOf(text)}`, { bytes: bytesOf(text), etag: text, modified: fake.now() - 2 * DAY })
  const travel = () => {
    const ms = random() ** 2 * LONGEST_MS
    return async () => {
      await time.sleep(ms)
      fake.ahead = time.now
    }
  }
  const loss = () => (random() < 0.04 ? (random() < 0.5 ? "early" : "late") : undefined)
  fake.behaviour.fault = () => ({ before: travel(), after: travel(), lost: loss() })
  const credentials = async () => {
    if (random() < 0.04) await time.sleep(random() * 30_000)
    return engineOf(fake).credentials
  }
  const clock = { now: () => fake.now() }
  const make = () => new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer: time.timer, clock, credentials })
  const stored = new Set<string>()
  const lost = new Set<string>()
  const check = (text: string) => {
    const bytes = fake.objects.get(`p/${hashOf(text)}`)?.bytes
    if (bytes === undefined || Buffer.compare(bytes, bytesOf(text)) !== 0) lost.add(text)
  }
  const write = async () => {
    const store = make()
    for (let count = 0; count < 3; count++) {
      await time.sleep(random() * 40_000)
      const text = texts[Math.floor(random() * texts.length)] ?? ""
      await store.put(bytesOf(text))
      stored.add(text)
      check(text)
    }
  }
  const sweep = async () => {
    await time.sleep(random() * 20_000)
    try {
      await make().sweep({ referenced: () => new Set(["none"]), apply: true })
    } catch (error) {
      // Another sweep runs, or requests took too long five times.
      const errno = isTreelogError(error, "StorageError") ? error.data.errno : undefined
      if (errno !== "SweepRunning" && errno !== "ETIMEDOUT") throw error
    }
  }
  const sweeps = seed % 2 === 0 ? [sweep()] : [sweep(), sweep()]
  await time.run(Promise.all([...sweeps, write(), write(), write(), write()]))
  for (const text of stored) check(text)
  const removed = fake.calls.filter(({ method, url }) => method === "DELETE" && !url.pathname.includes(".sweep"))
  return { lost: [...lost], removed: removed.length, stored: stored.size }
}

const TRIALS = tries(30)

describe("a sweep beside writers", () => {
  beforeAll(stubCrypto)
  afterAll(() => vi.unstubAllGlobals())

  test("never removes a blob that a put has reported as stored", async () => {
    const totals = { removed: 0, stored: 0 }
    for (let seed = 0; seed < TRIALS; seed++) {
      const { lost, removed, stored } = await trial(seed)
      expect({ seed, lost }).toEqual({ seed, lost: [] })
      totals.removed += removed
      totals.stored += stored
    }
    expect(totals.removed).toBeGreaterThan(TRIALS)
    expect(totals.stored).toBeGreaterThan(TRIALS)
  })

  test("does the same with the same seed", async () => {
    expect(await trial(7)).toEqual(await trial(7))
  })
})
