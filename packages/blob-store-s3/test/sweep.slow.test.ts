import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { S3BlobStore } from "@treelog/blob-store-s3"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { describe, expect, test } from "vitest"
import { ask, engineOf, engines, instantly, newPrefix, optionsFor, timerWith } from "./engines.js"

const DAY = 86_400_000
const bytesOf = (text: string) => new TextEncoder().encode(text)
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

/** A store with the blobs `kept`, `old` and, put a day later, `young`. The pauses take no time. */
async function filled() {
  const fake = new FakeS3()
  const pauses: number[] = []
  const timer = timerWith(async (ms) => void pauses.push(ms))
  const make = () => {
    return new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer })
  }
  const store = make()
  for (const text of ["kept", "old"]) await store.put(bytesOf(text))
  fake.ahead = 2 * DAY
  // Signed with the time of the store.
  const clock = { now: () => fake.now() }
  const later = () => new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer, clock })
  await later().put(bytesOf("young"))
  return { fake, store: later(), pauses, later }
}

const referenced = () => new Set([hashOf("kept")])

describe("sweep", () => {
  test("reports what it would remove, and removes nothing", async () => {
    const { fake, store } = await filled()
    const before = [...fake.objects.keys()]
    fake.calls.length = 0
    expect(await store.sweep({ referenced })).toEqual({
      applied: false,
      kept: { count: 1, bytes: 4 },
      withinGrace: { count: 1, bytes: 5 },
      swept: { count: 1, bytes: 3, hashes: [hashOf("old")] },
    })
    expect([...fake.objects.keys()]).toEqual(before)
    expect(fake.calls.filter(({ method }) => method !== "GET")).toEqual([])
  })

  test("removes old blobs that are not referenced, and leaves nothing of its own", async () => {
    const { fake, store } = await filled()
    const report = await store.sweep({ referenced, apply: true })
    expect(report).toMatchObject({ applied: true, swept: { hashes: [hashOf("old")] }, withinGrace: { count: 1 } })
    const left = [hashOf("kept"), hashOf("young"), ".conditional-writes"].map((name) => `p/${name}`)
    expect([...fake.objects.keys()].sort()).toEqual(left.sort())
  })

  test("leaves objects that are no blobs, and those of other prefixes", async () => {
    const { fake, store } = await filled()
    const object = { bytes: new Uint8Array(1), etag: "x", modified: 0 }
    const others = ["p/README", `p/${hashOf("a")}.png`, `p/x/${hashOf("b")}`, `p2/${hashOf("c")}`, hashOf("d")]
    for (const key of others) fake.objects.set(key, object)
    await store.sweep({ referenced, apply: true })
    expect(others.filter((key) => !fake.objects.has(key))).toEqual([])
  })

  test("keeps what is stored again while it runs", async () => {
    const { fake, store, later } = await filled()
    const report = await store.sweep({
      referenced: async () => {
        await later().put(bytesOf("old"))
        return referenced()
      },
      apply: true,
    })
    expect(report).toMatchObject({ swept: { count: 0 }, withinGrace: { count: 2 } })
    expect(fake.objects.has(`p/${hashOf("old")}`)).toBe(true)
  })

  test("keeps what is referenced by the time it removes", async () => {
    const { store } = await filled()
    let calls = 0
    const later = () => (++calls === 1 ? referenced() : new Set([hashOf("kept"), hashOf("old")]))
    expect(await store.sweep({ referenced: later, apply: true })).toMatchObject({ swept: { count: 0 } })
    expect(calls).toBe(2)
  })

  test.each([1, 2])("stops when nothing at all is referenced, at the time %i that it asks", async (time) => {
    const { fake, store } = await filled()
    let calls = 0
    const lost = () => (++calls === time ? new Set<string>() : referenced())
    await expect(store.sweep({ referenced: lost, apply: true })).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "referenced" },
    })
    expect(fake.objects.has(`p/${hashOf("old")}`)).toBe(true)
    // And it can be tried again.
    expect(await store.sweep({ referenced, apply: true })).toMatchObject({ swept: { count: 1 } })
  })

  test("removes nothing where the store does not report its time", async () => {
    const { fake } = await filled()
    const withoutDate = async (...args: Parameters<typeof fetch>) => {
      const response = await fake.fetch(...args)
      response.headers.delete("date")
      return response
    }
    const clock = { now: () => fake.now() }
    const store = new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), fetch: withoutDate, clock })
    await expect(store.sweep({ referenced, apply: true })).rejects.toMatchObject({
      data: { errno: "UnexpectedAnswer" },
    })
    expect(fake.objects.has(`p/${hashOf("old")}`)).toBe(true)
  })

  test("refuses a time that is none", async () => {
    const { store } = await filled()
    for (const graceMs of [-1, Number.NaN])
      await expect(store.sweep({ referenced, graceMs })).rejects.toMatchObject({ code: "InvalidArgumentError" })
  })

  test("stops at its signal", async () => {
    const { fake, store } = await filled()
    const stop = new AbortController()
    const stopping = () => {
      stop.abort(new Error("stopped"))
      return referenced()
    }
    await expect(store.sweep({ referenced: stopping, apply: true, signal: stop.signal })).rejects.toThrow("stopped")
    expect(fake.objects.has(`p/${hashOf("old")}`)).toBe(true)
  })

  test("does not run beside another one, and does when that was killed ten minutes ago", async () => {
    const { fake, store, later } = await filled()
    const marker = { bytes: new Uint8Array(1), etag: "x", modified: fake.now() }
    fake.objects.set("p/.sweep/another", marker)
    await expect(store.sweep({ referenced, apply: true })).rejects.toMatchObject({
      code: "StorageError",
      data: { errno: "SweepRunning", operation: "sweep" },
      message: expect.stringMatching(
        /another sweep was running at .*Z\. Wait for it\. If it was killed, sweep again 10 minutes/,
      ),
    })
    expect([...fake.objects.keys()].filter((key) => key.startsWith("p/.sweep/"))).toEqual(["p/.sweep/another"])
    fake.ahead += 602_000
    expect(await later().sweep({ referenced, apply: true })).toMatchObject({ swept: { count: 1 } })
    expect([...fake.objects.keys()].filter((key) => key.startsWith("p/.sweep/"))).toEqual([])
  })

  test("removes in the end what it could not remove at once, and never without asking again", async () => {
    const { fake, store, pauses } = await filled()
    const own = `p/${hashOf("old")}`
    let left = 3
    fake.behaviour.fault = ({ method, url }) => {
      if (method !== "DELETE" || !url.pathname.endsWith(own) || left-- <= 0) return undefined
      return left === 0 ? "drop-answer" : { status: 503, code: "SlowDown" }
    }
    fake.calls.length = 0
    expect(await store.sweep({ referenced, apply: true })).toMatchObject({ swept: { count: 1 } })
    expect(fake.objects.has(own)).toBe(false)
    const about = fake.calls.filter(({ url }) => url.pathname.endsWith(own)).map(({ method }) => method)
    expect(about).toEqual(["HEAD", "DELETE", "HEAD", "DELETE", "HEAD", "DELETE", "HEAD"])
    // After each of them, and before the marker is removed.
    expect(pauses.filter((ms) => ms === 15_000).length).toBe(4)
  })

  test("checks the age again when there was a long time before the removal", async () => {
    const { fake } = await filled()
    const own = `p/${hashOf("old")}`
    let now = 0
    let delays = 0
    const timer = {
      start: () => {
        const begin = now
        return () => now - begin
      },
      sleep: async (ms: number) => {
        now += ms
      },
    }
    // The keys for the first two removals take six seconds.
    const credentials = () => {
      if (fake.calls.at(-1)?.method === "HEAD" && delays++ < 2) now += 6_000
      return engineOf(fake).credentials
    }
    const clock = { now: () => fake.now() }
    const store = new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), credentials, clock, timer })
    fake.calls.length = 0
    expect(await store.sweep({ referenced, apply: true })).toMatchObject({ swept: { count: 1 } })
    const about = fake.calls.filter(({ url }) => url.pathname.endsWith(own)).map(({ method }) => method)
    expect(about).toEqual(["HEAD", "HEAD", "HEAD", "DELETE"])
  })

  test("fails with the store's error, and can be repeated", async () => {
    const { fake, store } = await filled()
    fake.behaviour.fault = ({ method, url }) =>
      method === "DELETE" && !url.pathname.includes(".sweep") ? { status: 403, code: "AccessDenied" } : undefined
    await expect(store.sweep({ referenced, apply: true })).rejects.toMatchObject({
      data: { errno: "AccessDenied" },
      message: expect.stringContaining("s3:DeleteObject for sweeps"),
    })
    fake.behaviour.fault = () => undefined
    expect(await store.sweep({ referenced, apply: true })).toMatchObject({ swept: { count: 1 } })
  })
})

describe.each(await engines())("on $name", (engine) => {
  test("a sweep removes what is old, and keeps what was put again", async () => {
    const prefix = newPrefix()
    const { fake } = engine
    const timer = fake ? instantly : timerWith((ms) => sleep(ms / 20))
    // The real store is started with pages of two keys.
    if (fake) fake.behaviour.pageSize = 2
    let laterPages = 0
    const counting: typeof fetch = (url, init) => {
      if (String(url).includes("continuation-token=")) laterPages++
      return engine.fetch(url, init)
    }
    const make = () => new S3BlobStore({ ...optionsFor(engine, prefix), timer, fetch: counting })
    const store = make()
    for (const text of ["kept", "old", "again", "x", "y", "z"]) await store.put(bytesOf(text))
    // S3's times have a precision of seconds where a single object is asked for.
    if (fake) fake.ahead += 4_000
    else await sleep(4_000)
    await make().put(bytesOf("again"))
    const report = await store.sweep({ referenced, graceMs: 2_500, apply: true })
    expect(report).toMatchObject({ kept: { count: 1 }, withinGrace: { count: 1 }, swept: { count: 4 } })
    const left: string[] = []
    for await (const { hash } of store.list()) left.push(hash)
    expect(left.sort()).toEqual([hashOf("kept"), hashOf("again")].sort())
    expect(laterPages).toBeGreaterThan(2)
    const { text } = await ask(engine, "GET", "", { query: { "list-type": "2", prefix: `${prefix}/.sweep/` } })
    expect(text).not.toContain("<Contents>")
  })
})
