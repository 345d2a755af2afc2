import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SessionManager } from "@treelog/session-core"
import type { FileSessionStorage } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { agentDirIn, composeStorage, cwdIn } from "./compose-storage.js"

/** What the options amount to: a store, its sessions, and the folder that is meant. */
export interface Sessions {
  readonly storage: FileSessionStorage
  /** For finding sessions and making new ones. Those that exist are opened by a manager with their own blobs: see session-blobs.ts. */
  readonly manager: SessionManager
  /** The folder of the store. An absolute path. */
  readonly agentDir: string
  /** The folder of `--blobs`. An absolute path. */
  readonly blobs: string | undefined
  /** The folder that new sessions belong to. An absolute path. */
  readonly cwd: string
  /** Where sessions are looked for: in that folder, or everywhere. */
  readonly scope: { readonly cwd?: string }
}

export function composeSessions(context: CommandContext): Sessions {
  const { io, options } = context
  const cwd = cwdIn(context)
  const agentDir = agentDirIn(context)
  const blobs = options.blobs === undefined ? undefined : absoluteFolder(io, options.blobs)
  const storage = composeStorage(context)
  const manager = new SessionManager({ storage, blobs: new FileBlobStore(blobs ?? join(agentDir, "blobs")) })
  return { storage, manager, agentDir, blobs, cwd, scope: options.all ? {} : { cwd } }
}
