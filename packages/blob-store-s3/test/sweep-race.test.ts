import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { isTreelogError } from "@treelog/session-core"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { describe, expect, test } from "vitest"
import { S3BlobStore } from "../src/index.js"
import { engineOf, optionsFor } from "./engines.js"

// Sweeps and puts at the same time, with requests that take from nothing to a few milliseconds on their way there and back. The pauses of
// the package are 250 times shorter, so that the 15 seconds in which a sweep removes what it has asked for are 60 milliseconds.

const SCALE = 250
const DELAY_MS = 8
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
  const fake = new FakeS3()
  for (const text of texts)
    fake.objects.set(`p/${hashOf(text)}`, { bytes: bytesOf(text), etag: text, modified: Date.now() - 2 * DAY })
  fake.behaviour.fault = () => {
    const isAnswerLost = random() < 0.02
    return { delayMs: random() * DELAY_MS, answerDelayMs: random() * DELAY_MS, isAnswerLost }
  }
  const make = () => new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), sleep: (ms) => sleep(ms / SCALE) })
  const stored = new Map<string, string>()
  const lost = new Set<string>()
  const check = (hash: string, text: string) => {
    const bytes = fake.objects.get(`p/${hash}`)?.bytes
    if (bytes === undefined || Buffer.compare(bytes, bytesOf(text)) !== 0) lost.add(text)
  }
  const write = async () => {
    const store = make()
    for (let time = 0; time < 3; time++) {
      await sleep(random() * 60)
      const text = texts[Math.floor(random() * texts.length)] ?? ""
      const hash = await store.put(bytesOf(text))
      stored.set(hash, text)
      check(hash, text)
    }
  }
  const sweep = async () => {
    await sleep(random() * 20)
    try {
      const report = await make().sweep({ referenced: () => new Set(["none"]), apply: true })
      return report.swept.count
    } catch (error) {
      if (isTreelogError(error, "StorageError") && error.data.errno === "SweepRunning") return 0
      throw error
    }
  }
  const sweeps = Array.from({ length: seed % 2 === 0 ? 1 : 2 }, sweep)
  const [swept] = await Promise.all([Promise.all(sweeps), ...Array.from({ length: 4 }, write)])
  for (const [hash, text] of stored) check(hash, text)
  return { lost: [...lost], swept: swept.reduce((sum, count) => sum + count, 0), stored: stored.size }
}

describe("a sweep beside writers", () => {
  test("never removes a blob that a put has reported as stored", { timeout: 120_000 }, async () => {
    const totals = { swept: 0, stored: 0 }
    for (let seed = 0; seed < 120; seed += 12) {
      const seeds = Array.from({ length: 12 }, (_, index) => seed + index)
      for (const [index, { lost, swept, stored }] of (await Promise.all(seeds.map(trial))).entries()) {
        expect({ seed: seeds[index], lost }).toEqual({ seed: seeds[index], lost: [] })
        totals.swept += swept
        totals.stored += stored
      }
    }
    // They did meet: sweeps removed blobs, and writers stored some that were removed.
    expect(totals.swept).toBeGreaterThan(200)
    expect(totals.stored).toBeGreaterThan(200)
  })
})
