import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { FileBlobStore, removeOrphans } from "@treelog/blob-store"
import { BundleWriter, unbundle as unbundled } from "@treelog/bundle"
import { SessionManager } from "@treelog/session-core"
import { blobRef } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { artifactsFolder, FileSessionStorage, nodeFs } from "@treelog/storage-fs"
import { messageEntry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { type FaultRun, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, test } from "vitest"

// Like internal/torture/test/kill-matrix.slow.test.ts, of an unbundling: it is killed before each call that changes the disk, and
// then run once more.

const DAY = 24 * 60 * 60 * 1000
const HEADER = testHeader({ cwd: "/home/ada/shop" })
const FIRST = userEntry("one", null)
const deadPid = spawnSync("true").pid

function storageIn(folder: string, fs = nodeFs): FileSessionStorage {
  return new FileSessionStorage({ agentDir: folder, cacheDir: null, terminalId: "test", fs })
}

/** A store with a session that has artifacts and a blob, one that grew, and one that went its own way in the target. */
async function writeSource(folder: string): Promise<void> {
  const hash = await new FileBlobStore(join(folder, "blobs")).put(Buffer.from("an image"))
  const sessions = {
    new: [FIRST, messageEntry("two", "one", userMessage(blobRef(hash)))],
    grown: [FIRST, userEntry("two", "one")],
    split: [FIRST, userEntry("here", "one")],
  }
  for (const [id, entries] of Object.entries(sessions)) writeSession(folder, id, entries)
  for (const id of ["new", "grown"]) {
    const artifacts = artifactsFolder(keyIn(folder, id)) ?? ""
    mkdirSync(join(artifacts, "deep"), { recursive: true })
    writeFileSync(join(artifacts, "deep", "notes.txt"), "notes")
  }
}

function writeTarget(folder: string): void {
  writeSession(folder, "grown", [FIRST])
  writeSession(folder, "split", [FIRST, userEntry("there", "one")])
}

function keyIn(folder: string, id: string): string {
  return storageIn(folder).keyFor({ ...HEADER, id })
}

function writeSession(folder: string, id: string, entries: readonly object[]): void {
  const key = keyIn(folder, id)
  mkdirSync(join(key, ".."), { recursive: true })
  writeFileSync(key, sessionText({ ...HEADER, id }, ...entries))
}

async function bundled(folder: string): Promise<Uint8Array[]> {
  const storage = storageIn(folder)
  const writer = new BundleWriter({ storage, blobsOf: async () => new FileBlobStore(join(folder, "blobs")) })
  for await (const { key } of storage.list()) await writer.add(key)
  const chunks: Uint8Array[] = []
  for await (const chunk of writer.archive()) chunks.push(chunk)
  await writer.close()
  return chunks
}

async function unbundle(folder: string, archive: readonly Uint8Array[], fs: typeof nodeFs): Promise<void> {
  async function* input() {
    yield* archive
  }
  const blobs = new FileBlobStore(join(folder, "blobs"), { fs })
  for await (const report of unbundled(input(), { fs, stagingDir: folder, to: storageIn(folder, fs), blobs }))
    if ("error" in report) throw report.error
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
}

/** The bytes of each file. */
function filesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one): [string, string] => {
      const path = join(one.parentPath, one.name)
      return [path.slice(folder.length), readFileSync(path, "latin1")]
    })
    .sort()
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "treelog-bundle-killed-"))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every lock is that of a process that is no more, and a day passes. */
async function letADayPass(folder: string): Promise<void> {
  const then = new Date(Date.now() - DAY - 60_000)
  for (const path of pathsIn(folder).map((name) => join(folder, name))) {
    if (/\.lock(?:\.|$)/.test(basename(path))) {
      const text = readFileSync(path, "utf8")
      if (text.endsWith("\n")) writeFileSync(path, `${JSON.stringify({ ...JSON.parse(text), pid: deadPid })}\n`)
    }
    utimesSync(path, then, then)
  }
}

/** What of the bundle is in the target: each session whole, or a beginning of it; artifacts whole; no reference without its blob. */
function expectNothingHalf(folder: string, complete: ReadonlyMap<string, string>): void {
  for (const [path, bytes] of filesIn(folder)) {
    if (/\.lock|\.tmp/.test(path)) continue
    const whole = complete.get(path)
    expect(whole, path).toBeDefined()
    if (path.endsWith(".jsonl")) expect(whole?.startsWith(bytes), path).toBe(true)
    else expect(bytes).toBe(whole)
    const [, hash] = /blob:sha256:([0-9a-f]{64})/.exec(bytes) ?? []
    if (hash !== undefined) expect(pathsIn(join(folder, "blobs"))).toContain(hash)
  }
}

async function killedOnce(
  folder: string,
  archive: readonly Uint8Array[],
  complete: ReadonlyMap<string, string>,
  run: FaultRun,
) {
  writeTarget(folder)
  const faulty = run.inject(nodeFs)
  faulty.arm()
  await unbundle(folder, archive, faulty.fs).catch((error: unknown) => {
    if (!faulty.isCrashed) throw error
  })
  faulty.disarm()
  expectNothingHalf(folder, complete)
  await letADayPass(folder)
  await unbundle(folder, archive, nodeFs)
  await letADayPass(folder)
  for await (const { error } of storageIn(folder).removeOrphans()) expect(error).toBeUndefined()
  await removeOrphans(join(folder, "blobs"))
  expect(new Map(filesIn(folder))).toEqual(complete)
  const manager = new SessionManager({ anyFile: true, storage: storageIn(folder) })
  for (const path of complete.keys())
    if (/sessions\/[^/]*\/[^/]*\.jsonl$/.test(path))
      expect((await verifySession(manager, folder + path)).diagnostics).toEqual([])
}

test("unbundle, killed anywhere, leaves nothing half, and the next run completes it", async () => {
  await inFolder(async (source) => {
    await writeSource(source)
    const archive = await bundled(source)
    let complete: ReadonlyMap<string, string> = new Map()
    await inFolder(async (folder) => {
      writeTarget(folder)
      await unbundle(folder, archive, nodeFs)
      complete = new Map(filesIn(folder))
      // Three sessions, two notes and a blob.
      expect(complete.size).toBe(6)
    })
    const kills = await forEachFault(
      ["crash", "torn-crash"],
      (run) => inFolder((folder) => killedOnce(folder, archive, complete, run)),
      { mutating: true },
    )
    expect(kills).toBeGreaterThan(20)
  })
})
