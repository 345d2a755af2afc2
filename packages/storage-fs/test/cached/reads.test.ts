import { SessionManager } from "@treelog/session-core"
import { expect, test } from "vitest"
import { appendTo, KB, readThrough, sample, sum } from "./bytes.js"
import { KEY, scene } from "./scene.js"

const bytes = sample(300 * KB)

test("a session is fetched once, also by another process", async () => {
  const { cached, store, asked } = scene()
  await store(KEY, bytes)
  const first = cached()
  expect(sum(await readThrough(first, KEY))).toBe(sum(bytes))
  await first.settled()
  expect(asked()).toEqual(["stat", `readRange ${300 * KB}`])
  expect(sum(await readThrough(first, KEY))).toBe(sum(bytes))
  expect(sum(await readThrough(cached(), KEY))).toBe(sum(bytes))
  expect(asked()).toEqual(["stat", "stat"])
})

test("what others append is all that is fetched", async () => {
  const { cached, store, append, asked } = scene()
  await store(KEY, bytes)
  const storage = cached()
  await readThrough(storage, KEY)
  await append(KEY, sample(5000, 2))
  asked()
  expect(sum(await readThrough(storage, KEY))).toBe(sum(Buffer.concat([bytes, sample(5000, 2)])))
  expect(asked()).toEqual(["stat", "readRange 5000"])
})

test("own appends are mirrored", async () => {
  const { cached, store, asked } = scene()
  const { identity } = await store(KEY, bytes)
  const storage = cached()
  const ranges = await storage.openRanges(KEY, identity)
  let expected = bytes
  for (let at = 0; at < 100; at++) {
    await appendTo(storage, KEY, sample(3000, at))
    expected = Buffer.concat([expected, sample(3000, at)])
  }
  expect(sum(ranges?.read(0, 10_000 * KB))).toBe(sum(expected))
  ranges?.close()
  await storage.settled()
  asked()
  expect(sum(await readThrough(cached(), KEY))).toBe(sum(expected))
  expect(asked()).toEqual(["stat"])
})

test("appends in one step are mirrored", async () => {
  const { cached, store, asked } = scene()
  const stat = await store(KEY, bytes)
  const storage = cached()
  const ranges = await storage.openRanges(KEY, stat.identity)
  await storage.leaseAndAppend?.(KEY, { access: "shared", waitMs: 0 }, sample(500, 2), stat)
  expect(sum(ranges?.read(300 * KB, 1000))).toBe(sum(sample(500, 2)))
  ranges?.close()
  asked()
  expect((await readThrough(storage, KEY)).length).toBe(300 * KB + 500)
  expect(asked()).toEqual(["stat"])
})

test("reads with promises are mirrored from the start of the session on, and take one call each", async () => {
  const { cached, store, append, asked } = scene()
  const { identity } = await store(KEY, bytes)
  const storage = cached()
  const read = async (offset: number, length: number) => storage.readRange(KEY, offset, length, identity)
  expect(sum(await read(200 * KB, 100 * KB))).toBe(sum(bytes.subarray(200 * KB)))
  expect(sum(await read(0, 10))).toBe(sum(bytes.subarray(0, 10)))
  expect(sum(await read(0, 200 * KB))).toBe(sum(bytes.subarray(0, 200 * KB)))
  expect(asked()).toEqual([`readRange ${100 * KB}`, "readRange 10", `readRange ${200 * KB}`])
  expect(sum(await read(0, 200 * KB))).toBe(sum(bytes.subarray(0, 200 * KB)))
  expect(sum(await read(100 * KB, 90 * KB))).toBe(sum(bytes.subarray(100 * KB, 190 * KB)))
  expect(asked()).toEqual(["readRange 64", "readRange 64"])
  expect(sum(await read(100 * KB, 500 * KB))).toBe(sum(bytes.subarray(100 * KB)))
  expect(asked()).toEqual([`readRange ${400 * KB + 64}`])
  await append(KEY, sample(100, 2))
  expect(sum(await read(0, 400 * KB))).toBe(sum(Buffer.concat([bytes, sample(100, 2)])))
  expect(asked()).toEqual([`readRange ${100 * KB + 64}`])
})

test("a read into memory of the caller uses it", async () => {
  const { cached, store } = scene()
  const { identity } = await store(KEY, bytes)
  const storage = cached()
  await readThrough(storage, KEY)
  const into = new Uint8Array(bytes.length)
  const read = await storage.readRange(KEY, 0, bytes.length, identity, into)
  expect(read.buffer).toBe(into.buffer)
  expect(sum(into)).toBe(sum(bytes))
})

test("a context of an unchanged session takes one call, and no session is fetched for one", async () => {
  const { cached, remote, asked } = scene()
  const session = await new SessionManager({ storage: remote }).create("/project")
  for (let at = 0; at < 40; at++)
    session.appendMessage({ role: "user", content: sample(15_000, at).toString("base64"), timestamp: at })
  await session.close()
  const ref = { id: session.getSessionId() }
  const storage = cached()
  const sessions = new SessionManager({ storage })
  const leaf = session.getEntries().at(-1)?.id ?? ""
  asked()
  const { messages } = await sessions.readContext(ref)
  expect(messages).toHaveLength(40)
  await storage.settled()
  const opened = await sessions.open(ref, { access: "read" })
  expect(opened.getEntry(leaf)).toEqual(session.getEntry(leaf))
  await opened.close()
  await storage.settled()
  const key = await sessions.resolve(ref)
  for (const warm of [sessions, new SessionManager({ storage: cached() })]) {
    asked()
    // By its path, since finding an id is a call too.
    expect((await warm.readContext(session.getSessionFile() ?? "")).messages).toEqual(messages)
    expect(asked()).toEqual(["stat"])
  }
  expect(key).toBe(session.getSessionFile())
})
