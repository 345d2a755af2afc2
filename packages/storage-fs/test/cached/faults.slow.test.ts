import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { type FaultFs, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, test, vi } from "vitest"
import { CachedSessionStorage, nodeFs } from "../../src/index.js"
import { AT_ONCE } from "../store.js"
import { appendTo, KB, readThrough, sample, sum } from "./bytes.js"
import { KEY, scene } from "./scene.js"

const bytes = sample(300 * KB)
const OTHER = "memory:/project/other"

/** A mirror of the session, in files, that no storage has read yet. */
async function mirrored() {
  const given = scene()
  const stat = await given.store(KEY, bytes)
  const storage = given.cached()
  await readThrough(storage, KEY)
  await storage.settled()
  const [file] = given.files()
  if (!file) throw new Error("nothing is mirrored")
  given.asked()
  return { ...given, stat, path: file.path }
}

describe("files of the mirror that changed are not believed", () => {
  const damages: Record<string, (path: string) => void> = {
    "a flipped bit": (path) => {
      const found = readFileSync(path)
      found[100_000] = (found[100_000] ?? 0) ^ 1
      writeFileSync(path, found)
    },
    "a file that was cut": (path) => truncateSync(path, 200 * KB),
    "a file that is empty": (path) => truncateSync(path, 0),
    "a file that is longer": (path) => appendFileSync(path, "more"),
    "zeros where a power failure lost the bytes": (path) => {
      truncateSync(path, 200 * KB)
      truncateSync(path, 300 * KB)
    },
    "the bytes of another version of the session": (path) => writeFileSync(path, sample(300 * KB, 2)),
  }

  test.each(Object.entries(damages))("%s", async (_, damage) => {
    const { cached, path, asked, files } = await mirrored()
    damage(path)
    const storage = cached()
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes))
    expect(asked()).toEqual(["stat", `readRange ${300 * KB}`])
    await storage.settled()
    expect(sum(await readThrough(cached(), KEY))).toBe(sum(bytes))
    expect(asked()).toEqual(["stat"])
    expect(files().map(({ size }) => size)).toEqual([300 * KB])
  })

  test.each(Object.entries(damages))("%s, by a storage that has used it", async (_, damage) => {
    const { cached, path, stat } = await mirrored()
    const storage = cached()
    await storage.readRange(KEY, 0, 100 * KB, stat.identity)
    await storage.settled()
    damage(path)
    expect(sum(await storage.readRange(KEY, 0, 300 * KB, stat.identity))).toBe(sum(bytes))
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes))
  })

  test("the file of another session with the same identity", async () => {
    const { cached, path, store, files } = await mirrored()
    await store(OTHER, sample(300 * KB, 7))
    const storage = cached()
    await readThrough(storage, OTHER)
    await storage.settled()
    const other = files().find((file) => file.path !== path)?.path ?? ""
    // With the name that it had if the bytes were those of the first session.
    renameSync(other, path)
    expect(sum(await readThrough(cached(), KEY))).toBe(sum(bytes))
  })

  test("a part that is missing", async () => {
    const { cached, append, files } = await mirrored()
    const storage = cached()
    for (const seed of [2, 3]) {
      await append(KEY, sample(140 * KB, seed))
      await readThrough(storage, KEY)
      await storage.settled()
    }
    const [first] = files()
    renameSync(first?.path ?? "", join(first?.path ?? "", "..", "gone"))
    const expected = Buffer.concat([bytes, sample(140 * KB, 2), sample(140 * KB, 3)])
    expect(sum(await readThrough(cached(), KEY))).toBe(sum(expected))
  })

  test("a synchronous read of a file that another program cut fails with StorageError", async () => {
    const { cached, stat, path } = await mirrored()
    const ranges = await cached().openRanges(KEY, stat.identity)
    truncateSync(path, 100)
    expect(() => ranges?.read(0, 1000)).toThrow(expect.objectContaining({ code: "StorageError" }))
    ranges?.close()
  })
})

describe("what was stored is no longer", () => {
  test.each(["replaced", "removed", "moved", "quarantined"] as const)("its files go when it is %s", async (change) => {
    const { cached, files, stat } = await mirrored()
    const storage = cached()
    const lease = await storage.lease(KEY, AT_ONCE)
    if (change === "replaced") await lease.replace([sample(200 * KB, 2)], { expected: stat })
    else if (change === "removed") await lease.remove()
    else if (change === "moved") await lease.move(OTHER)
    else await lease.quarantine(".old")
    await lease.release()
    expect(files()).toEqual([])
    if (change === "replaced") expect(sum(await readThrough(storage, KEY))).toBe(sum(sample(200 * KB, 2)))
    if (change === "moved") expect(sum(await readThrough(storage, OTHER))).toBe(sum(bytes))
  })

  test("its files go when another client has replaced it", async () => {
    const { cached, store, files } = await mirrored()
    const storage = cached()
    await readThrough(storage, KEY)
    await store(KEY, sample(100 * KB, 2))
    expect(sum(await readThrough(storage, KEY))).toBe(sum(sample(100 * KB, 2)))
    await storage.settled()
    expect(files().map(({ size }) => size)).toEqual([100 * KB])
  })

  test("a session that is shorter than its mirror is read as it is", async () => {
    const { cached, remote, memory, stat } = await mirrored()
    // No storage that keeps the contract does this.
    const shorter = Object.create(remote, {
      stat: { value: async () => ({ ...stat, size: 200 * KB }) },
      readRange: {
        value: async (key: string, offset: number, length: number, identity?: string) =>
          memory.readRange(key, offset, Math.max(0, Math.min(length, 200 * KB - offset)), identity),
      },
    })
    const storage = cached({}, shorter)
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes.subarray(0, 200 * KB)))
    const read = await storage.readRange(KEY, 0, 300 * KB, stat.identity)
    expect(sum(read)).toBe(sum(bytes.subarray(0, 200 * KB)))
  })

  test("an open session reads on after it was moved, and what is appended then", async () => {
    const { cached, store, files } = scene()
    const { identity } = await store(KEY, bytes)
    const storage = cached()
    const ranges = await storage.openRanges(KEY, identity)
    const lease = await storage.lease(KEY, AT_ONCE)
    await lease.move(OTHER)
    await lease.release()
    await appendTo(storage, OTHER, sample(100 * KB, 2))
    expect(sum(ranges?.read(0, 500 * KB))).toBe(sum(Buffer.concat([bytes, sample(100 * KB, 2)])))
    ranges?.close()
    await storage.settled()
    expect(sum(await readThrough(storage, OTHER))).toBe(sum(Buffer.concat([bytes, sample(100 * KB, 2)])))
    await storage.settled()
    expect(files().reduce((sum, { size }) => sum + size, 0)).toBe(400 * KB)
  })
})

test("what is in use stays readable when another process removes its files before the first read", async () => {
  const { cached, path, stat, asked } = await mirrored()
  const storage = cached()
  await readThrough(storage, KEY)
  await storage.settled()
  const ranges = await storage.openRanges(KEY, stat.identity)
  rmSync(path)
  asked()
  expect(sum(ranges?.read(0, 300 * KB))).toBe(sum(bytes))
  expect(asked()).toEqual([])
  ranges?.close()
})

describe("the limit", () => {
  test("the least recently used sessions are removed", async () => {
    const { cached, store, files, asked } = scene()
    const storage = cached({ maxBytes: 1000 * KB })
    for (const number of [1, 2, 3, 4, 5]) {
      await store(`${KEY}${number}`, sample(250 * KB, number))
      await readThrough(storage, `${KEY}${number}`)
      await storage.settled()
      expect(files().reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1000 * KB)
      // The first one is used again and again.
      expect(sum(await readThrough(storage, `${KEY}1`))).toBe(sum(sample(250 * KB, 1)))
    }
    asked()
    expect(sum(await readThrough(cached(), `${KEY}1`))).toBe(sum(sample(250 * KB, 1)))
    expect(sum(await readThrough(cached(), `${KEY}5`))).toBe(sum(sample(250 * KB, 5)))
    expect(asked()).toEqual(["stat", "stat"])
  })

  test.each([0, 100 * KB])("a session is read that does not fit %d bytes", async (maxBytes) => {
    const { cached, store, files } = scene()
    await store(KEY, bytes)
    const onCacheError = vi.fn()
    const storage = cached({ maxBytes, onCacheError })
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes))
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes))
    await storage.settled()
    expect(files()).toEqual([])
    expect(onCacheError).toHaveBeenCalledOnce()
    expect(String(onCacheError.mock.calls[0]?.[0])).toContain("maxBytes")
  })
})

describe("a folder that cannot be used fails no read and no write, and is reported once", () => {
  const kinds = ["ENOSPC", "EIO", "short", "short-ENOSPC"] as const

  test.each([
    ["any one call", { times: 1 }],
    ["a change and all after it", { mutating: true, times: Number.POSITIVE_INFINITY }],
  ])("%s", async (_, plan) => {
    const { store, cached, folder } = scene()
    let sessions = 0
    const faults = await forEachFault(
      kinds,
      async ({ inject }) => {
        const key = `${KEY}-${++sessions}`
        const { identity } = await store(key, bytes)
        const { fs, arm, disarm } = armed(inject(nodeFs))
        const onCacheError = vi.fn()
        const storage = cached({ folder: join(folder, `${sessions}`), fs, onCacheError })
        arm()
        const ranges = await storage.openRanges(key, identity)
        // A synchronous read of a disk that fails now cannot succeed.
        if (plan.times === 1) disarm()
        expect(sum(ranges?.read(0, 300 * KB))).toBe(sum(bytes))
        arm()
        await appendTo(storage, key, sample(100 * KB, 2))
        await storage.settled()
        if (plan.times === 1) disarm()
        expect(sum(ranges?.read(300 * KB, 300 * KB))).toBe(sum(sample(100 * KB, 2)))
        arm()
        const read = await storage.readRange(key, 0, 500 * KB, identity)
        expect(sum(read)).toBe(sum(Buffer.concat([bytes, sample(100 * KB, 2)])))
        ranges?.close()
        await storage.settled()
        expect(sum(await readThroughAfter(disarm, storage, key))).toBe(sum(Buffer.concat([bytes, sample(100 * KB, 2)])))
        await storage.settled()
        expect(onCacheError.mock.calls.length).toBeLessThanOrEqual(1)
      },
      plan,
    )
    expect(faults).toBeGreaterThan(10)
  })

  test("a file in the place of the folder", async () => {
    const { store, cached, folder } = scene()
    await store(KEY, bytes)
    writeFileSync(join(folder, "file"), "")
    chmodSync(join(folder, "file"), 0o600)
    const onCacheError = vi.fn()
    const storage = cached({ folder: join(folder, "file", "mirror"), onCacheError })
    const session = await new SessionManager({ storage }).create("/project")
    session.appendMessage({ role: "user", content: "Hi", timestamp: 1 })
    await session.close()
    expect(sum(await readThrough(storage, KEY))).toBe(sum(bytes))
    await storage.settled()
    expect(onCacheError).toHaveBeenCalledOnce()
    expect(onCacheError).toHaveBeenCalledWith(expect.objectContaining({ code: "StorageError" }))
  })
})

function armed<T extends object>(faulty: FaultFs<T>) {
  return { fs: faulty.fs, arm: () => faulty.arm(), disarm: () => faulty.disarm() }
}

/** Opens on the bad disk, and reads on a good one. */
async function readThroughAfter(disarm: () => void, storage: CachedSessionStorage, key: string): Promise<Buffer> {
  const stat = await storage.stat(key)
  const ranges = await storage.openRanges(key, stat?.identity ?? "")
  disarm()
  const read = Buffer.from(ranges?.read(0, 500 * KB) ?? [])
  ranges?.close()
  return read
}

test("options that cannot be", () => {
  const { memory, folder } = scene()
  for (const options of [{ folder: "" }, { folder, maxBytes: -1 }, { folder, maxBytes: Number.NaN }])
    expect(() => new CachedSessionStorage(memory, options)).toThrow(
      expect.objectContaining({ code: "InvalidArgumentError" }),
    )
})
