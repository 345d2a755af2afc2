import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { bytesOfText, textOfBytes } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { artifactsFolder, FileSessionStorage, TrashedSessionStorage } from "@treelog/storage-fs"
import { sessionText, testHeader, testTime, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AT_ONCE, tempDir } from "./store.js"

/** Names there are only characters on Windows, and UTF-8 on macOS. */
const hasByteNames = process.platform === "linux"

const SUFFIX = Buffer.from(".jsonl")
const SLASH = 0x2f

const name = fc
  .oneof(
    fc.uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 40 }),
    fc
      .constantFrom("caf\xe9", "\xff", "\xef\xbf\xbdE9", "a\xef\xbf\xbd", "\xc3\xa9", "..\xed\xa0\x80", "\x9b31m")
      .map(latin1),
  )
  .map((bytes) => bytes.filter((byte) => byte !== SLASH))
  .filter((bytes) => bytes.length > 0 && bytes[0] !== 0x2e && !Buffer.from(bytes).includes(SUFFIX))

const scene = fc.record({ buckets: fc.tuple(name, name), session: name, moved: name, artifact: name })

interface Scene {
  readonly buckets: readonly [Uint8Array, Uint8Array]
  readonly session: Uint8Array
  readonly moved: Uint8Array
  readonly artifact: Uint8Array
}

describe.skipIf(!hasByteNames)("a session, a bucket and an artifact under names of any bytes", () => {
  it("are listed, read, written, forked, moved, trashed, restored and deleted", async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (names) => {
        const dir = mkdtempSync(join(tmpdir(), "treelog-byte-names-"))
        try {
          await lifeOf(dir, names)
        } finally {
          rmSync(dir, { recursive: true, force: true })
        }
      }),
      { numRuns: tries(6) },
    )
  })
})

async function lifeOf(dir: string, { buckets: [bucket, other], session, moved, artifact }: Scene): Promise<void> {
  const text = sessionText(testHeader({ id: "byte-names", cwd: "/project" }), userEntry("00000001", null))
  const folder = path(dir, "sessions", bucket)
  mkdirSync(path(folder, session, "deep"), { recursive: true })
  writeFileSync(path(folder, [...session, ...SUFFIX]), text)
  writeFileSync(path(folder, session, artifact), "an artifact")
  symlinkSync(Buffer.from(artifact), path(folder, session, "deep", "link"))
  const before = treeOf(folder)
  const options = { agentDir: dir, cacheDir: join(dir, "cache"), terminalId: "test" }
  const storage = new FileSessionStorage(options)
  const manager = new SessionManager({ anyFile: true, storage })

  const key = textOfBytes(path(folder, [...session, ...SUFFIX]))
  expect(await listed(manager)).toEqual([{ path: key, id: "byte-names" }])
  expect(await listed(new SessionManager({ storage: new FileSessionStorage(options) }))).toEqual([
    { path: key, id: "byte-names" },
  ])
  const reading = await manager.open("byte-names", { access: "read" })
  expect(reading.getSessionFile()).toBe(key)
  expect(reading.getEntries()).toHaveLength(1)
  await reading.close()
  expect((await verifySession(manager, key)).ok).toBe(true)

  const writing = await manager.open(key, { access: "exclusive" })
  writing.appendMessage({ role: "user", content: "more", timestamp: 1 })
  await writing.close()
  expect(readFileSync(path(folder, [...session, ...SUFFIX]), "utf8").startsWith(text)).toBe(true)
  writeFileSync(path(folder, [...session, ...SUFFIX]), text)

  const forked = await manager.forkFrom(key, "/elsewhere")
  const copy = artifactsFolder(forked.getSessionFile() ?? "") ?? ""
  expect(treeOf(Buffer.from(copy))).toEqual(treeOf(path(folder, session)))
  await manager.delete(await closed(forked))

  const trashed = await storage.trash.put(key, { now: Date.parse(testTime()) })
  expect(await listed(manager)).toEqual([])
  const trash = new SessionManager({ anyFile: true, storage: new TrashedSessionStorage(options) })
  expect(await listed(trash)).toEqual([{ path: trashed, id: "byte-names" }])
  expect(await storage.trash.restore(trashed)).toBe(key)
  expect(treeOf(folder)).toEqual(before)

  const lease = await storage.lease(key, AT_ONCE)
  const target = textOfBytes(path(dir, "sessions", other, [...moved, ...SUFFIX]))
  await lease.move(target)
  await lease.release()
  const now = path(dir, "sessions", other)
  expect(readFileSync(path(now, [...moved, ...SUFFIX]), "utf8")).toBe(text)
  expect(readFileSync(path(now, moved, artifact), "utf8")).toBe("an artifact")
  await manager.delete(target)
  expect(treeOf(now)).toEqual([])
}

describe.skipIf(!hasByteNames)("a session under a name that is not UTF-8", () => {
  it("is watched, and found by the id in its header, where the name had another one", async () => {
    const agentDir = await tempDir()
    const storage = new FileSessionStorage({ agentDir, terminalId: "test", cacheDir: null })
    const manager = new SessionManager({ anyFile: true, storage })
    const session = await manager.create("/project", { persist: "create" })
    await session.flush()
    const old = await closed(session)
    const key = old.replace(/(.)(.{4}\.jsonl)$/, "\uFFFDE9$2")
    await rename(old, bytesOfText(key) as Buffer)
    const found = await manager.open(session.getSessionId(), { access: "read" })
    expect(found.getSessionFile()).toBe(key)
    await found.close()
    const stop = new AbortController()
    const changes = storage.watch(key, stop.signal)[Symbol.asyncIterator]()
    await changes.next()
    const changed = changes.next()
    await writeFile(bytesOfText(key) as Buffer, sessionText(testHeader({ id: "another" })))
    expect(await changed).toEqual({ done: false, value: undefined })
    stop.abort()
  })

  it("is the last one of its terminal", async () => {
    const storage = new FileSessionStorage({ agentDir: await tempDir(), terminalId: "test" })
    const crumb = { cwd: "/project", key: "/sessions/caf\uFFFDE9.jsonl" }
    await storage.breadcrumbs.write(crumb.cwd, crumb.key)
    expect(await storage.breadcrumbs.read()).toEqual(crumb)
  })
})

function userEntry(id: string, parentId: string | null): object {
  return { type: "message", id, parentId, timestamp: testTime(), message: { role: "user", content: id, timestamp: 1 } }
}

async function closed(session: { getSessionFile(): string | undefined; close(): Promise<void> }): Promise<string> {
  await session.close()
  return session.getSessionFile() ?? ""
}

async function listed(manager: SessionManager): Promise<{ path: string; id: string }[]> {
  const found: { path: string; id: string }[] = []
  for await (const { path, id, error } of manager.listAll())
    found.push(error ? (Promise.reject(error) as never) : { path, id })
  return found
}

function path(...parts: (string | Iterable<number>)[]): Buffer {
  const [first = "", ...rest] = parts.map((part) =>
    typeof part === "string" ? Buffer.from(part) : Buffer.from([...part]),
  )
  return Buffer.concat([Buffer.from(first), ...rest.flatMap((part) => [Buffer.from("/"), part])])
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1")
}

/** Each path below a folder, as the hexadecimal digits of its bytes, with what a file holds. */
function treeOf(folder: Buffer): string[] {
  return readdirSync(folder, { encoding: "buffer", withFileTypes: true })
    .flatMap((entry) => {
      const at = path(folder, entry.name)
      const hex = entry.name.toString("hex")
      if (entry.isDirectory()) return [hex, ...treeOf(at).map((below) => `${hex}/${below}`)]
      return entry.isFile() ? `${hex}: ${readFileSync(at, "utf8")}` : `${hex} -> link`
    })
    .sort()
}
