import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemorySessionStorage, type SessionStorage } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { afterAll } from "vitest"

/** The storages that every adapter is tested on. */
export const STORAGES = ["in memory", "as files", "as files in one folder"] as const

const folders: string[] = []

/** Removes what the tests of a file wrote. */
export function removeFoldersAfterAll(): void {
  afterAll(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
}

/** An empty storage. */
export function emptyStorage(kind: (typeof STORAGES)[number]): SessionStorage {
  return reopened(kind)()
}

/** Makes storages that store in the same place, as several processes would. */
export function reopened(kind: (typeof STORAGES)[number]): () => SessionStorage {
  if (kind === "in memory") {
    const storage = new MemorySessionStorage()
    return () => storage
  }
  const agentDir = mkdtempSync(join(tmpdir(), "treelog-sdks-"))
  folders.push(agentDir)
  const sessionDir = kind === "as files" ? undefined : join(agentDir, "all")
  return () => new FileSessionStorage({ agentDir, sessionDir, cacheDir: null, env: {} })
}
