import { join } from "node:path"
import type { SessionIndex } from "@treelog/session-core/search"

/** The index of a whole store, `agent` in the folder, with the list cache in `cache` beside it. */
export async function loadIndex(folder: string, path = join(folder, "index.db")): Promise<SessionIndex> {
  const [{ FileSessionStorage }, { SqliteSessionIndex }] = await Promise.all([
    import("@treelog/storage-fs"),
    import("@treelog/index-sqlite"),
  ])
  const storage = new FileSessionStorage({
    agentDir: join(folder, "agent"),
    cacheDir: join(folder, "cache"),
    terminalId: "bench",
  })
  return new SqliteSessionIndex({ storage, path })
}
