import { resolve } from "node:path"
import type { TreelogError } from "@treelog/session-core"
import {
  cacheFolderOf,
  type Env,
  type FsPort,
  homeOf,
  nodeFs,
  sessionsByVariables,
  withoutTilde,
} from "@treelog-internal/fs"
import type { AgentSource } from "./agent-source.js"
import type { AgentPlace } from "./records/agent-definition.js"

/** Options of the storage of one agent. */
export interface AgentFolderOptions {
  /** The agent's folder. Default: the one that its variable of the environment names, or its own in the home folder. */
  readonly dir?: string | undefined
  /** Default: `process.env`. */
  readonly env?: Env
  /**
   * Where converted sessions and lists are kept. Default: `TREELOG_CACHE_DIR`, or a folder of treelog's where the platform keeps caches.
   * `null` keeps them in memory.
   */
  readonly cacheDir?: string | null | undefined
  /** Limit of the converted sessions in the cache. Bytes; default 2 GB. */
  readonly maxCacheBytes?: number | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
  /** Called once, with the first reason why the cache cannot be read or written. */
  readonly onCacheError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** That the folder has kept copies of sessions, and of which storage: of these, those are listed that have what that has no more. */
  readonly keptOf?: KeptOf | undefined
}

/** What kept copies are copies of. */
export interface KeptOf {
  readonly storage: { readonly source: AgentSource }
  /**
   * The files in a folder of copies that have something which their originals have no more, and the folders that have such a file. A database is one
   * of them always. Absolute paths. @param originalOf where the original of a copy is
   */
  readonly lostCopies: (folder: string, originalOf: (copy: string) => string) => Promise<ReadonlySet<string>>
}

export interface AgentStorageOptions
  extends Pick<AgentFolderOptions, "maxCacheBytes" | "fs" | "onCacheError" | "keptOf"> {
  readonly source: AgentSource
  /** Where what was found out is kept; `null` keeps it in memory. An absolute path. */
  readonly cacheDir: string | null
}

/** An agent that makes its source itself: lists from the ends of its files, conversions that go on where they stopped. */
export interface SourceDefinition<Options extends AgentFolderOptions = AgentFolderOptions> {
  readonly place: AgentPlace
  /** @param folder an absolute path */
  source(folder: string, options: Options): AgentSource
}

/** The folder of an agent: `dir`, or the one that its place names. An absolute path. */
export function agentFolder(env: Env, place: AgentPlace, dir?: string): string {
  return resolve(withoutTilde(dir || sessionsByVariables(env, place).folder, homeOf(env)))
}

/** What the storage of an agent is made with. Touches no disk. */
export function storageOptions<Options extends AgentFolderOptions>(
  { place, source }: SourceDefinition<Options>,
  options: Options,
): AgentStorageOptions {
  const { env = process.env, dir, cacheDir, fs = nodeFs, maxCacheBytes, onCacheError, keptOf } = options
  const cache = cacheDir === undefined ? cacheFolderOf(env) : cacheDir && resolve(withoutTilde(cacheDir, homeOf(env)))
  const own = source(agentFolder(env, place, dir), options)
  return { source: own, cacheDir: cache, fs, maxCacheBytes, onCacheError, keptOf }
}
