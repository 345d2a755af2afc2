import { join, resolve } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SessionManager, type SessionStorage } from "@treelog/session-core"
import { agentDirOf, FileSessionStorage } from "@treelog/storage-fs"
import type { CommandContext } from "./command-context.js"

/** What the options amount to: a store, its sessions, and the folder that is meant. */
export interface Sessions {
  readonly storage: SessionStorage
  readonly manager: SessionManager
  /** The folder that new sessions belong to. An absolute path. */
  readonly cwd: string
  /** Where sessions are looked for: in that folder, or everywhere. */
  readonly scope: { readonly cwd?: string }
}

export function composeSessions({ io, options }: CommandContext): Sessions {
  const { store = "treelog", agentDir, sessionDir, all } = options
  const cwd = resolve(io.cwd, options.cwd ?? "")
  const folder = agentDir ?? agentDirOf(store, io.env)
  const storage = new FileSessionStorage({
    agentDir: folder,
    ...(sessionDir !== undefined && { sessionDir }),
    env: io.env,
  })
  const manager = new SessionManager({ storage, blobs: new FileBlobStore(join(folder, "blobs")) })
  return { storage, manager, cwd, scope: all ? {} : { cwd } }
}
