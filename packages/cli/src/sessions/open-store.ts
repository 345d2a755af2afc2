import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import type { BlobStore, SessionStorage } from "@treelog/session-core"
import { agentDirOf, FileSessionStorage, type Preset } from "@treelog/storage-fs"
import { isFolder, readOnlyBlobs } from "../blobs/session-blobs.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { PROGRAMS } from "../program/options.js"

/** A store that a command names: `pi`, `~/backup/agent`. */
export interface OpenStore {
  readonly storage: SessionStorage
  readonly blobs: BlobStore
  /** Its folder. An absolute path. */
  readonly agentDir: string
}

/**
 * The one place where a name becomes a storage.
 * @param name a program, or a folder that contains `sessions`
 * @param access to read, nothing is written and the store must exist
 * @throws UsageError
 */
export async function openStore(context: CommandContext, name: string, access: "read" | "write"): Promise<OpenStore> {
  const { io } = context
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) throw notAStore(withoutUserInfo(name))
  const preset = PROGRAMS.find((program) => program === name)
  const agentDir = absoluteFolder(io, preset ? agentDirOf(preset, io.env) : name)
  if (!preset && access === "read" && !(await isFolder(join(agentDir, "sessions")))) throw notAStore(name)
  const blobs = join(agentDir, "blobs")
  return {
    storage: fileStorage(context, agentDir, preset),
    blobs: access === "read" ? readOnlyBlobs(blobs) : new FileBlobStore(blobs),
    agentDir,
  }
}

function fileStorage({ io }: CommandContext, agentDir: string, preset: Preset | undefined): FileSessionStorage {
  return new FileSessionStorage({ agentDir, preset, env: io.env, cacheDir: null })
}

/** A URL may contain a password, which no message repeats. */
function withoutUserInfo(url: string): string {
  return url.replace(/^([^:]*:\/\/)[^/]*@/, "$1")
}

function notAStore(name: string): UsageError {
  const message = `${name} is not a store: name a program (${PROGRAMS.join(", ")}), or a folder that contains \`sessions\`.`
  return new UsageError(message, { store: name })
}
