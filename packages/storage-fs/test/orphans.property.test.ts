import { mkdir, readFile, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { FileSessionStorage } from "@treelog/storage-fs"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AT_ONCE, bytes, killOwners, makePipe, namesIn, newKey, stored, storeIn, tempDir } from "./store.js"

const HOUR = 60 * 60 * 1000
const TOKEN = "0123456789abcdef"

async function removed(storage: FileSessionStorage): Promise<string[]> {
  const paths: string[] = []
  for await (const { path, error } of storage.removeOrphans()) {
    expect(error).toBeUndefined()
    paths.push(path)
  }
  return paths.sort()
}

async function given() {
  const agentDir = await tempDir()
  const storage = await storeIn(agentDir, { cacheDir: join(agentDir, "cache") })
  const { key, lease } = await stored(storage, "one\n")
  return { agentDir, storage, key, lease, folder: dirname(key) }
}

/** A file that was left alone since so long. */
async function leave(path: string, ms: number, content = "left"): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  const time = new Date(Date.now() - ms)
  await utimes(path, time, time)
  return path
}

describe("orphaned temporary files", () => {
  it("of a dead lease are removed with its lock, at once", async () => {
    const { storage, key, folder } = await given()
    const { token } = JSON.parse(await readFile(`${key}.lock`, "utf8")) as { token: string }
    await leave(`${key}.${token}.tmp`, 0)
    await leave(`${key}.${token}.old.tmp`, 0)
    await leave(`${key}.${token}.sync.tmp`, 0)
    await leave(join(key.slice(0, -".jsonl".length).concat(`.${token}.tmp`), "deep", "notes.txt"), 0)
    await killOwners(folder)
    expect(await removed(storage)).toEqual([`${key}.lock`])
    // The session is there, so its artifacts were all copied.
    expect(await namesIn(folder)).toEqual([basename(key, ".jsonl"), basename(key)])
  })

  it("of a lease that is held stay, however old they are", async () => {
    const { storage, key, lease, folder } = await given()
    const { token } = JSON.parse(await readFile(`${key}.lock`, "utf8")) as { token: string }
    await leave(`${key}.${token}.tmp`, 100 * HOUR)
    await leave(join(key.slice(0, -".jsonl".length).concat(`.${token}.tmp`), "notes.txt"), 100 * HOUR)
    const before = await namesIn(folder)
    expect(await removed(storage)).toEqual([])
    expect(await namesIn(folder)).toEqual(before)
    await lease.release()
  })

  it("that nothing refers to are removed when they were left alone for an hour", async () => {
    const { agentDir, storage, key, lease } = await given()
    await lease.release()
    await storage.breadcrumbs.write("/a", key)
    const paths = [
      `${key}.${TOKEN}.tmp`,
      `${key}.${TOKEN}.old.tmp`,
      `${key}.${TOKEN}.sync.tmp`,
      `${key}.lock.${TOKEN}.tmp`,
      `${key}.lock.${TOKEN}`,
      `${key}.lock.${TOKEN}.fedcba9876543210.tmp`,
      join(agentDir, "terminal-sessions", `test.${TOKEN}.tmp`),
      join(agentDir, "cache", "lists", `0-x.list.${TOKEN}.tmp`),
    ]
    for (const path of paths) await leave(path, HOUR / 2)
    expect(await removed(storage)).toEqual([])
    for (const path of paths) await leave(path, HOUR + 60_000)
    expect(await removed(storage)).toEqual([...paths].sort())
    for (const path of paths) await leave(path, -2 * HOUR)
    expect(await removed(storage)).toEqual([...paths].sort())
    expect(await readFile(key, "utf8")).toBe("one\n")
  })

  it("are removed by whoever writes in the folder next, sessions of others included", async () => {
    const { agentDir, storage, key, folder, lease } = await given()
    await lease.release()
    const dead = newKey(storage)
    await storage.lease(dead, AT_ONCE)
    await killOwners(folder)
    await leave(`${key}.${TOKEN}.tmp`, 2 * HOUR)
    const crumb = await leave(join(agentDir, "terminal-sessions", `other.${TOKEN}.tmp`), 2 * HOUR)
    const next = await storeIn(agentDir)
    await next.breadcrumbs.write("/a", key)
    await (await next.lease(key, AT_ONCE)).release()
    expect(await namesIn(folder)).toEqual([basename(key)])
    expect(await namesIn(dirname(crumb))).toEqual(["test"])
  })

  it("are not removed by who only reads", async () => {
    const { agentDir, key, folder, lease } = await given()
    await lease.release()
    await leave(`${key}.${TOKEN}.tmp`, 2 * HOUR)
    const next = await storeIn(agentDir)
    for await (const _ of next.list());
    await next.readRange(key, 0, 4)
    expect(await namesIn(folder)).toEqual([basename(key), `${basename(key)}.${TOKEN}.tmp`])
  })

  it("are the only ones that are removed: what is called otherwise stays", async () => {
    const { storage, folder, lease } = await given()
    await lease.release()
    const hex = fc.stringMatching(/^[0-9a-f]{1,20}$/)
    const name = fc.oneof(
      fc.constantFrom("notes.tmp", "x.lock", `${TOKEN}.tmp`, "a.jsonl.v1.bak", "a.jsonl.lock~", "lock"),
      hex.filter((one) => one.length !== 16).map((one) => `a.jsonl.${one}.tmp`),
      hex.filter((one) => one.length !== 16).map((one) => `a.jsonl.lock.${one}`),
      fc.stringMatching(/^[a-zA-Z0-9 ._-]{1,30}$/).filter((one) => !/(?:\.tmp|\.lock|\.jsonl)$|^\.+$/.test(one)),
    )
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { maxLength: 8 }), async (names) => {
        for (const one of names) await leave(join(folder, one), 100 * HOUR)
        const before = await namesIn(folder)
        expect(await removed(storage)).toEqual([])
        expect(await namesIn(folder)).toEqual(before)
      }),
      { seed: 20_261_122, numRuns: tries(30) },
    )
  })

  it("that are pipes are not waited for", async () => {
    const { storage, key, folder, lease } = await given()
    await lease.release()
    makePipe(join(folder, "other.jsonl.lock"))
    makePipe(`${key}.lock.${TOKEN}.tmp`)
    expect(await removed(storage)).toEqual([])
    await (await storage.lease(key, AT_ONCE)).append(bytes("two\n"), (await storage.stat(key)) as never)
  })

  it("in the trash are its empty folders", async () => {
    const { storage, key, folder, lease } = await given()
    await lease.release()
    const path = await storage.trash.put(key, { now: 0 })
    const empty = join(folder, ".trash", `2026-03-07T14-00-00-000Z_${TOKEN}`)
    await mkdir(empty)
    expect(await removed(storage)).toEqual([])
    await utimes(empty, 0, 0)
    await utimes(dirname(path), 0, 0)
    expect(await removed(storage)).toEqual([empty])
    await storage.trash.restore(path)
    await mkdir(empty, { recursive: true })
    await utimes(empty, 0, 0)
    expect(await removed(storage)).toEqual([empty])
    expect(await namesIn(folder)).toEqual([basename(key)])
  })
})
