import { join } from "node:path"
import type { SessionManager } from "@treelog/session-core"

/** treelog as its users have it: the built packages, on files. New sessions go to the folder. */
export async function loadTreelog(folder: string): Promise<SessionManager> {
  const [core, fs] = await Promise.all([import("@treelog/session-core"), import("@treelog/storage-fs")])
  const storage = new fs.FileSessionStorage({
    agentDir: join(folder, "agent"),
    sessionDir: folder,
    cacheDir: null,
    terminalId: "bench",
  })
  return new core.SessionManager({ storage, anyFile: true })
}

/** A manager of a whole store, `agent` in the folder, with the list cache in `cache` beside it, or with none. */
export async function loadTreelogStore(folder: string, { cached }: { cached: boolean }): Promise<SessionManager> {
  const [core, fs] = await Promise.all([import("@treelog/session-core"), import("@treelog/storage-fs")])
  const storage = new fs.FileSessionStorage({
    agentDir: join(folder, "agent"),
    cacheDir: cached ? join(folder, "cache") : null,
    terminalId: "bench",
  })
  return new core.SessionManager({ storage, anyFile: true })
}
