import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemorySessionStorage, type SessionStorage, type StorageStat } from "@treelog/session-core"
import { onTestFinished } from "vitest"
import { CachedSessionStorage, type CachedSessionStorageOptions } from "../../src/index.js"
import { AT_ONCE } from "../store.js"
import { appendTo } from "./bytes.js"

export const KEY = "memory:/project/session"

/** A remote storage, which counts what it is asked for, and a folder for mirrors. */
export function scene() {
  const memory = new MemorySessionStorage()
  const calls: string[] = []
  const folder = mkdtempSync(join(tmpdir(), "treelog-cached-"))
  const made: CachedSessionStorage[] = []
  onTestFinished(async () => {
    await Promise.all(made.map((cached) => cached.settled()))
    rmSync(folder, { recursive: true, force: true })
  })
  const remote = counted(memory, calls)
  return {
    memory,
    remote,
    folder,
    /** What the remote storage was asked for since the last call. Ranges with their lengths. */
    asked: () => calls.splice(0),
    cached(options: Partial<CachedSessionStorageOptions> = {}, of: SessionStorage = remote): CachedSessionStorage {
      const onCacheError = (error: Error) => {
        throw error
      }
      const cached = new CachedSessionStorage(of, { folder, onCacheError, ...options })
      made.push(cached)
      return cached
    },
    /** Stores a session, without the mirror. */
    async store(key: string, bytes: Uint8Array): Promise<StorageStat> {
      const lease = await memory.lease(key, AT_ONCE)
      const before = await memory.stat(key)
      const stat = before ? (await lease.replace([bytes], { expected: before })).stat : await lease.create([bytes])
      await lease.release()
      return stat
    },
    /** Appends, without the mirror. */
    append: (key: string, bytes: Uint8Array) => appendTo(memory, key, bytes),
    /** The files of the mirror, as paths, with their sizes. */
    files: () => filesBelow(folder).map((path) => ({ path, size: statSync(path).size })),
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** The calls that are round trips of a storage on a network. */
function counted(storage: MemorySessionStorage, calls: string[]): SessionStorage {
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== "function") return member
      return (...args: unknown[]) => {
        if (name === "readRange") calls.push(`readRange ${args[2]}`)
        else if (name !== "keyFor" && name !== "keyFromRef" && name !== "folderOf") calls.push(String(name))
        return member.apply(target, args)
      }
    },
  })
}
