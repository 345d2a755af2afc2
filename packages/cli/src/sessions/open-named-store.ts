import { join } from "node:path"
import type { SessionStorage } from "@treelog/session-core"
import { FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import type { Io } from "../io/io.js"
import { isFolder } from "../io/is-folder.js"
import { type Agent, STORES } from "../program/programs.js"
import { openAgentStorage } from "./open-agent-storage.js"
import type { FilesName, StoreName } from "./store-name.js"

/** A store that is open. */
export interface OpenStore {
  readonly storage: SessionStorage
  /** Undefined where sessions are no files of treelog's format. */
  readonly files: FileStore | undefined
  /** The agent whose sessions they are, if they can only be read. */
  readonly agent: Agent | undefined
  /** The same for every name of the store: a folder, or an address without a password. */
  readonly address: string
}

/** What only a store of files has: a trash, locks that can be asked for, folders. */
export interface FileStore {
  readonly storage: FileSessionStorage
  /** The folder of the store. An absolute path. */
  readonly agentDir: string
  readonly name: FilesName
}

/** How a store is used. */
export interface StoreUse {
  /** Whether lists of files use treelog's cache; that of a database is in the database. Default true. */
  readonly caches?: boolean
  /** Whether a folder must be a store already. Default true. */
  readonly exists?: boolean
}

/**
 * The one place where a name becomes a storage. The code for databases is loaded with the first one.
 * @throws UsageError for a folder that is not a store; StorageError where a database cannot be reached
 */
export async function openNamedStore(context: CommandContext, name: StoreName, use: StoreUse = {}): Promise<OpenStore> {
  if (name.kind === "postgres") {
    const { openPostgresStorage } = await import("./open-postgres-storage.js")
    return { storage: await openPostgresStorage(context, name), files: undefined, agent: undefined, address: name.name }
  }
  if (name.kind === "agent") {
    const storage = await openAgentStorage(name.agent, context, (error) => reportCacheError(context, error))
    return { storage, files: undefined, agent: name.agent, address: storage.folder }
  }
  const { exists = true, caches = true } = use
  if (exists) await assertStore(name)
  const storage = new FileSessionStorage({
    ...fileStorageOptions(context.io, name),
    ...(caches ? { onCacheError: (error) => reportCacheError(context, error) } : { cacheDir: null }),
  })
  return { storage, files: { storage, agentDir: name.agentDir, name }, agent: undefined, address: name.agentDir }
}

/** @throws UsageError for a folder that is not a store */
export async function assertStore(name: StoreName): Promise<void> {
  if (name.kind !== "files" || name.folder === undefined) return
  if (!(await isFolder(join(name.agentDir, "sessions")))) throw notAStore(name.folder)
}

/** Which files are meant. */
export function fileStorageOptions({ env }: Io, name: FilesName): FileSessionStorageOptions {
  const { agentDir, preset, sessionDir } = name
  return { agentDir, preset, ...(sessionDir !== undefined && { sessionDir }), env }
}

function reportCacheError(context: CommandContext, error: Parameters<CommandContext["warn"]>[0] & Error): void {
  context.warn(error, `${error.message}. Lists are complete without that cache, but slower.`)
}

function notAStore(name: string): UsageError {
  const message = `${name} is not a store: name a program (${STORES.join(", ")}), a folder that contains \`sessions\`, or postgres://host/database. --agent-dir starts a store in another folder.`
  return new UsageError(message, { store: name })
}
