import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type SessionInfo, SessionManager } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import {
  FileSessionStorage,
  type FileSessionStorageOptions,
  type FsPort,
  nodeFs,
  type OpenFile,
} from "@treelog/storage-fs"
import { reportOnce, SessionRows } from "@treelog-internal/fs"
import { sessionText, testHeader, testTime } from "@treelog-internal/test-kit"
import { FileSummaries } from "./door.js"

/** A time of files that were left alone since long, another one at each call. Seconds since 1970. */
let seconds = Date.UTC(2020, 0, 1) / 1000
export const longAgo = (): number => ++seconds

/** What a list says, in the order of the paths. */
export async function listed(
  agentDir: string,
  options: FileSessionStorageOptions,
  cwd?: string,
): Promise<SessionInfo[]> {
  return listedBy(new FileSessionStorage({ agentDir, terminalId: "test", ...options }), cwd)
}

export async function listedBy(storage: FileSessionStorage, cwd?: string): Promise<SessionInfo[]> {
  const manager = new SessionManager({ storage })
  const infos: SessionInfo[] = []
  for await (const info of cwd === undefined ? manager.listAll() : manager.list(cwd)) infos.push(info)
  return infos.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A storage with a cache of which a test says how it works. */
export function withCache({
  agentDir,
  cacheDir,
  fs = nodeFs,
  onError,
  now,
}: {
  agentDir: string
  cacheDir: string
  onError?: (error: unknown) => void
  fs?: FsPort
  now?: () => number
}) {
  const storage = new FileSessionStorage({ agentDir, terminalId: "test", cacheDir: null, fs })
  const store = ["sessions", join(agentDir, "sessions")] as const
  const rows = new SessionRows(fs, { cacheDir, store, onError: reportOnce(cacheDir, onError) })
  const list = async function* (filter: ListFilter) {
    for await (const name of storage.list(filter)) yield [name]
  }
  const cache = new FileSummaries(fs, { rows, list, ...(now && { now }) })
  Object.defineProperty(storage, "summaries", { value: cache })
  return { storage, cache }
}

export function freshScan(agentDir: string): Promise<SessionInfo[]> {
  return listed(agentDir, { cacheDir: null })
}

export function headerLine(id: string): string {
  return sessionText(testHeader({ id }))
}

export function messageLine(id: string, role: string, fields: Record<string, unknown> = {}): string {
  const message = { role, content: `said in ${id}`, timestamp: Date.parse(testTime()), ...fields }
  return sessionText({ type: "message", id, parentId: null, timestamp: testTime(), message })
}

export async function cacheFiles(cacheDir: string): Promise<string[]> {
  const folder = join(cacheDir, "lists")
  return (await readdir(folder).catch(() => [])).sort().map((name) => join(folder, name))
}

/** A file system that notes which files were opened, and how much of each was read. */
export class WatchedFs {
  readonly opened: string[] = []
  readonly read = new Map<string, number>()
  readonly fs: FsPort = {
    ...nodeFs,
    open: async (path, flags, mode) => {
      this.opened.push(path)
      return this.#watched(path, await nodeFs.open(path, flags, mode))
    },
    openSync: (path) => {
      this.opened.push(path)
      const file = nodeFs.openSync(path)
      return { ...file, readSync: (...args) => this.#counted(path, file.readSync(...args)) }
    },
  }

  #counted(path: string, bytes: number): number {
    this.read.set(path, (this.read.get(path) ?? 0) + bytes)
    return bytes
  }

  #watched(path: string, file: OpenFile): OpenFile {
    return {
      read: async (...args) => {
        const done = await file.read(...args)
        this.#counted(path, done.bytesRead)
        return done
      },
      write: (...args) => file.write(...args),
      stat: (options) => file.stat(options),
      utimes: (accessed, modified) => file.utimes(accessed, modified),
      sync: () => file.sync(),
      datasync: () => file.datasync(),
      close: () => file.close(),
    }
  }
}
