import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { type Clock, SessionManager, type SessionManagerOptions } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"

type IdSource = NonNullable<SessionManagerOptions["ids"]>

/** Where the user of the fixtures lives. Nothing is ever read or written there. */
export const HOME = "/home/me"

/** The folder whose sessions they are. */
export const PROJECT = `${HOME}/project`

export interface AgentStore {
  readonly folder: string
  readonly blobsFolder: string
  readonly storage: FileSessionStorage
  readonly blobs: FileBlobStore
  readonly sessions: SessionManager
  /** A manager without blobs, as a program has it that knows none. */
  readonly plainSessions: SessionManager
  readonly history: SqlitePromptHistory
}

/** @param ports default: the system's clock and random ids */
export function openAgentStore(folder: string, ports: { clock?: Clock; ids?: IdSource } = {}): AgentStore {
  const blobsFolder = join(folder, "blobs")
  const storage = new FileSessionStorage({
    agentDir: folder,
    env: { HOME, TMPDIR: "/tmp" },
    terminalId: "tty1",
    cacheDir: null,
  })
  const blobs = new FileBlobStore(blobsFolder)
  return {
    folder,
    blobsFolder,
    storage,
    blobs,
    sessions: new SessionManager({ anyFile: true, storage, blobs, ...ports }),
    plainSessions: new SessionManager({ anyFile: true, storage, ...ports }),
    history: new SqlitePromptHistory({ path: join(folder, "history.db"), ...(ports.clock && { clock: ports.clock }) }),
  }
}
