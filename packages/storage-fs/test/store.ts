import { spawnSync } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Lease, LeaseOptions } from "@treelog/session-core/adapter"
import { FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import { onTestFinished } from "vitest"

export const AT_ONCE: LeaseOptions = { access: "exclusive", waitMs: 0 }

/** A folder that goes with the test. */
export async function tempDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-storage-fs-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function storeIn(agentDir?: string, options: FileSessionStorageOptions = {}): Promise<FileSessionStorage> {
  return new FileSessionStorage({ agentDir: agentDir ?? (await tempDir()), terminalId: "test", ...options })
}

/** A named pipe: to open it for reading waits for a writer. */
export function makePipe(path: string): void {
  const { status, stderr } = spawnSync("mkfifo", [path], { encoding: "utf8" })
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
}

let sessions = 0
export function newKey(storage: FileSessionStorage, cwd = "/home/user/project"): string {
  return storage.keyFor({ cwd, id: `session-${++sessions}`, timestamp: "2026-03-07T14:00:00.000Z" })
}

export async function stored(storage: FileSessionStorage, content: string): Promise<{ key: string; lease: Lease }> {
  const key = newKey(storage)
  const lease = await storage.lease(key, AT_ONCE)
  await lease.create([bytes(content)])
  return { key, lease }
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort()
}

let deadPid: number | undefined

/** Makes the locks in a folder those of a process that died without a word. */
export async function killOwners(folder: string): Promise<void> {
  deadPid ??= spawnSync("true").pid
  for (const name of await readdir(folder)) {
    if (!name.includes(".lock") || name.endsWith(".tmp")) continue
    const lock = JSON.parse(await readFile(join(folder, name), "utf8")) as object
    await writeFile(join(folder, name), JSON.stringify({ ...lock, pid: deadPid }))
  }
}
