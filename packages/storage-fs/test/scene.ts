import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Lease, StorageStat } from "@treelog/session-core/adapter"
import { artifactsFolder, FileSessionStorage, nodeFs } from "@treelog/storage-fs"
import { type FaultFs, type FaultRun, twice } from "@treelog-internal/test-kit/fault-fs"
import { expect } from "vitest"
import { AT_ONCE, bytes, killOwners, namesIn, newKey, storeIn, tempDir } from "./store.js"

export interface Scene {
  readonly storage: FileSessionStorage
  readonly faulty: FaultFs<typeof nodeFs>
  readonly key: string
  readonly folder: string
}

/** A storage on a disk that will fail, and a session in it, if it is to have some content. */
export async function sceneOf({ inject }: FaultRun, content?: string): Promise<Scene> {
  const agentDir = await tempDir()
  const faulty = inject(nodeFs)
  const storage = new FileSessionStorage({ agentDir, terminalId: "test", fs: faulty.fs })
  const key = newKey(storage)
  if (content !== undefined) {
    const lease = await storage.lease(key, AT_ONCE)
    await lease.create([bytes(content)])
    await lease.sync()
    await lease.release()
  }
  return { storage, faulty, key, folder: dirname(key) }
}

export async function statOf(storage: FileSessionStorage, key: string): Promise<StorageStat> {
  const stat = await twice(() => storage.stat(key))
  if (stat === undefined) throw new Error("it is gone")
  return stat
}

export async function leaseOf({ storage, key }: Scene): Promise<Lease> {
  return twice(() => storage.lease(key, AT_ONCE))
}

/** A process that knows nothing of the crashed one, on a good disk. */
export async function nextProcess({ folder, key }: Scene): Promise<{ storage: FileSessionStorage; lease: Lease }> {
  await killOwners(folder)
  const storage = await storeIn(join(folder, "..", ".."))
  return { storage, lease: await storage.lease(key, AT_ONCE) }
}

/** What a crash may leave at worst: a lock that had no name yet, or a claim to one that is gone. */
export async function litter(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => !/\.lock\.([0-9a-f]+\.)*([0-9a-f]+|tmp)$/.test(name))
}

export const contentOf = (key: string) => readFile(key, "utf8").catch(() => undefined)

export async function fillArtifacts(key: string): Promise<void> {
  const folder = artifactsFolder(key) ?? ""
  await mkdir(join(folder, "deep"), { recursive: true })
  await writeFile(join(folder, "notes.txt"), "notes")
  await writeFile(join(folder, "deep", "sub-agent.jsonl"), "{}\n")
}

export async function expectArtifacts(key: string): Promise<void> {
  const folder = artifactsFolder(key) ?? ""
  expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("notes")
  expect(await readFile(join(folder, "deep", "sub-agent.jsonl"), "utf8")).toBe("{}\n")
}
