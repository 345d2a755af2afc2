import { basename, join } from "node:path"
import type { AgentName } from "@treelog/agents"
import { type SessionSource, TreelogError } from "@treelog/session-core"
import { FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import { isFolder } from "@treelog-internal/fs"
import type { AgentStore } from "./agent-stores.js"
import type { AgentStorage, OpenAgent } from "./agents/agent-storage.js"
import { hideUrls } from "./hide-urls.js"
import { KeptFiles, onlyReading } from "./kept/kept-files.js"
import { PRESENT } from "./kept/kept-stores.js"
import { lostCopies } from "./kept/lost-copies.js"
import type { RemoteObjects } from "./kept/remote-objects.js"
import type { OnWarning, OpenOptions } from "./open-options.js"
import { type Agent, STORES } from "./programs.js"
import type { PostgresAddress } from "./server-address.js"
import { type FilesName, folderOfFiles, type StoreName } from "./store-name.js"
import type { Surroundings } from "./surroundings.js"

/** A store that is open. */
export interface OpenStore<Storage extends SessionSource = SessionSource> {
  readonly storage: Storage
  /** Undefined where sessions are not files of treelog's format. */
  readonly files: FileStore | undefined
  /** The agent whose sessions they are, if they can only be read. */
  readonly agent: Agent | undefined
  /** One address, whatever name of the store was used: a folder, or an address without a password. */
  readonly address: string
}

/** What only a store of files has: a trash, locks whose holder is known, folders. Copies have no storage that can be written. */
export interface FileStore {
  readonly storage: FileSessionStorage
  /** The folder of the store. An absolute path. */
  readonly agentDir: string
  readonly name: FilesName
}

/**
 * Opens a store by its name. The code for databases and for each agent is loaded when the first of its kind is opened.
 * @throws InvalidArgumentError for a folder that is not a store; StorageError where a database cannot be reached
 */
export async function openStore(name: StoreName, options: OpenOptions): Promise<OpenStore> {
  if (typeof name !== "object") {
    const message = "openStore takes what storeNamed makes of a name."
    throw new TreelogError("InvalidArgumentError", message, { argument: "name", value: name })
  }
  const { env, exists = true, caches = true, onWarning = () => {} } = options
  if (name.kind === "postgres") {
    const { openPostgres } = await import("./open-postgres.js")
    return { storage: await openPostgres(name, options), files: undefined, agent: undefined, address: name.name }
  }
  if (name.kind === "agent") {
    const storage = await openAgent(name, options)
    return { storage, files: undefined, agent: name.agent, address: storage.folder }
  }
  if (exists) await assertStore(name)
  const caching = caches
    ? { onCacheError: (error: TreelogError<"StorageError">) => cacheWarning(onWarning, error) }
    : { cacheDir: null }
  const own = { ...fileStorageOptions(env, name), ...caching }
  const { agentDir, keptOf } = name
  const storage = keptOf ? keptFiles(name, keptOf, own) : new FileSessionStorage(own)
  const files = { storage, agentDir, name }
  return { storage: keptOf ? onlyReading(storage) : storage, files, agent: undefined, address: folderOfFiles(name) }
}

/** Former files differ from those of the store by what they are kept for. */
function keptFiles(name: FilesName, original: FilesName, own: FileSessionStorageOptions): FileSessionStorage {
  const [folder, folderOfOriginal] = [folderOfFiles(name), folderOfFiles(original)]
  if (basename(folder) !== PRESENT) return new FileSessionStorage(own)
  const storage = new FileSessionStorage({ ...fileStorageOptions(own.env ?? {}, original), cacheDir: null })
  return new KeptFiles(folder, own, { storage, pathOf: (copy) => folderOfOriginal + copy.slice(folder.length) })
}

/** Only the code of the agent that is meant is loaded. */
async function openerOf(agent: Agent, plugIns: OpenOptions["plugIns"]): Promise<OpenAgent> {
  if (agent === "claude-code") return (await import("./agents/claude-code.js")).open
  if (agent === "codex") return (await import("./agents/codex.js")).open
  const { open, openPlugIn } = await import("./agents/others.js")
  const definition = plugIns?.definitions.find(({ place }) => place.name === agent)
  return definition ? openPlugIn(definition) : open(agent as AgentName)
}

/** Opens the sessions of an agent: its own folder is named by its variables of the environment. */
export async function openAgent(
  { agent, store, folder, sessions: [sessions], variables = {}, keptOf: original }: AgentStore,
  options: Pick<OpenOptions, "env" | "plugIns" | "onWarning">,
): Promise<AgentStorage> {
  const { env, plugIns, onWarning = () => {} } = options
  const open = await openerOf(agent, plugIns)
  const isNamed = store !== agent || Object.keys(variables).length > 0
  const place = isNamed && { dir: folder, sessions }
  // Former files differ from those of the agent by what they are kept for.
  const isPresent = original && basename(folder) === PRESENT
  const keptOf = isPresent ? { storage: await openAgent(original, options), lostCopies } : undefined
  return open({ ...place, env, keptOf, onWarning, onCacheError: (error) => cacheWarning(onWarning, error) })
}

function cacheWarning(onWarning: OnWarning, error: TreelogError<"StorageError">): void {
  onWarning(error, `${error.message}. Lists are complete without that cache, but slower.`)
}

/**
 * Connects to a database, for what a storage cannot do: create its tables, and clean up. The pool has connected once.
 * @throws InvalidArgumentError without the driver, StorageError where the server cannot be reached or refuses
 */
export async function connectPostgres(
  address: PostgresAddress,
  options: Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">,
): Promise<Awaited<ReturnType<typeof import("./open-postgres.js").connectPool>>> {
  const { connectPool } = await import("./open-postgres.js")
  return connectPool(address, options)
}

/**
 * A place in a database for the copies of `keep`.
 * @throws InvalidArgumentError without the driver, StorageError where the server cannot be reached or refuses
 */
export async function openPostgresObjects(
  address: PostgresAddress,
  options: Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">,
): Promise<RemoteObjects> {
  const { postgresObjects } = await import("./kept/postgres-objects.js")
  return postgresObjects(address, options)
}

/** @throws InvalidArgumentError for a folder that is not a store */
export async function assertStore(name: StoreName): Promise<void> {
  if (name.kind !== "files" || name.folder === undefined) return
  if (await isFolder(join(name.agentDir, "sessions"))) return
  const folder = hideUrls(name.folder)
  const like = STORES.find((store) => store.startsWith(folder) || folder.startsWith(`${store}-`))
  const message = `${folder} is not a store${like ? ` (did you mean ${like}?)` : ""}: name a program (${STORES.join(", ")}), a folder that contains \`sessions\`, which may be empty, or session files, or postgres://host/database.${name.hint ?? ""}`
  throw new TreelogError("InvalidArgumentError", message, { argument: "store", value: folder })
}

/** Which files are meant. */
export function fileStorageOptions(env: Surroundings["env"], name: FilesName): FileSessionStorageOptions {
  const { agentDir, preset, sessionDir } = name
  return { agentDir, preset, ...(sessionDir !== undefined && { sessionDir }), env }
}
