import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import type { BlobStore, SessionStorage } from "@treelog/session-core"
import { agentDirOf, FileSessionStorage, type Preset } from "@treelog/storage-fs"
import { isFolder, readOnlyBlobs } from "../blobs/session-blobs.js"
import { hideUrls } from "../errors/hide-urls.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { PROGRAMS } from "../program/programs.js"

/** A store that a command names: `pi`, `~/backup/agent`. */
export interface OpenStore {
  readonly storage: SessionStorage
  readonly blobs: BlobStore
  /** The same for every name of the store: of files its folder, an absolute path. */
  readonly address: string
}

/**
 * The one place where a name becomes a storage.
 * @param name a program, or a folder that contains `sessions`
 * @param access to read, nothing is written and the store must exist
 * @throws UsageError
 */
export async function openStore(context: CommandContext, name: string, access: "read" | "write"): Promise<OpenStore> {
  const { io } = context
  if (name.includes("://")) throw notAStore(hideUrls(name))
  const preset = PROGRAMS.find((program) => program === name)
  const agentDir = absoluteFolder(io, preset ? agentDirOf(preset, io.env) : name)
  if (!preset && access === "read" && !(await isFolder(join(agentDir, "sessions")))) throw notAStore(name)
  const blobs = join(agentDir, "blobs")
  return {
    storage: fileStorage(context, agentDir, preset),
    blobs: access === "read" ? readOnlyBlobs(blobs) : new FileBlobStore(blobs),
    address: agentDir,
  }
}

function fileStorage({ io }: CommandContext, agentDir: string, preset: Preset | undefined): FileSessionStorage {
  return new FileSessionStorage({ agentDir, preset, env: io.env, cacheDir: null })
}

function notAStore(name: string): UsageError {
  const message = `${name} is not a store: name a program (${PROGRAMS.join(", ")}), or a folder that contains \`sessions\`.`
  return new UsageError(message, { store: name })
}
