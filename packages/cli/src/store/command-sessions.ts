import { dirname, join, sep } from "node:path"
import {
  type BlobSource,
  type SessionManager,
  type SessionSource,
  type SessionStorage,
  TreelogError,
} from "@treelog/session-core"
import { isWritable, type ProjectOf } from "@treelog/session-core/adapter"
import { type Agent, type FileStore, madeIn, type OpenStore, ownFolder } from "@treelog/stores"
import { UsageError } from "../errors/exit-codes.js"
import type { CommandContext, StoreOptions } from "../io/command-context.js"
import { shellWord } from "../io/shell-command.js"
import { type BlobPlace, chosenPlace, folderPlace } from "./blob-place.js"
import { chosenStore, openNamedStore } from "./chosen-store.js"
import { cwdIn, projectsOf } from "./scope.js"

/** What the options amount to: a store, its sessions, and the folder that is meant. What writes needs the `Sessions<SessionStorage>` of `requireWritable`. */
export interface Sessions<Storage extends SessionSource = SessionSource> {
  readonly storage: Storage
  /** Undefined where sessions are no files: see `requireFiles`. */
  readonly files: FileStore | undefined
  /** The agent whose sessions they are, if they can only be read. */
  readonly agent: Agent | undefined
  /** The store, for people: its folder, or its address without a password. */
  readonly address: string
  /** The agent of sessions whose headers name none. */
  readonly madeBy: string
  /** The place of all blobs, if one is named. */
  readonly blobs: BlobPlace | undefined
  /** Where the prompt history is: the folder of the store, or of treelog's own on this machine. An absolute path. */
  readonly historyDir: string
  /** The folder that new sessions belong to. An absolute path. */
  readonly cwd: string
  /** How the store groups sessions: a shared one by project, files by folder. */
  readonly projectOf: ProjectOf
}

/** @param options that name the store. Default: those of the command */
export async function commandSessions(
  context: CommandContext,
  options: StoreOptions = context.options,
): Promise<Sessions> {
  const chosen = chosenStore({ io: context.io, options })
  const kept = chosen.name.kind === "files" && chosen.name.keptOf ? chosen.name.agentDir : undefined
  const blobs = chosenPlace(context, chosen) ?? (kept === undefined ? undefined : folderPlace(join(kept, "blobs")))
  const { storage, files, agent, address } = await openNamedStore(context, chosen.name)
  const projectOf = projectsOf(context, { files, agent })
  return {
    storage,
    files,
    agent,
    address,
    madeBy: madeIn(context.io, options.store, { files, agent, address }),
    blobs,
    historyDir: files?.agentDir ?? ownFolder(context.io, "treelog"),
    cwd: cwdIn(context),
    projectOf,
  }
}

/** A store, and the place that is named for all of its blobs. */
interface StoreWithBlobs {
  readonly blobs: BlobPlace | undefined
  readonly files: FileStore | undefined
}

interface Managed<Storage extends SessionSource> {
  readonly storage: Storage
  readonly projectOf: ProjectOf
}

/** Where the blobs of a stored session are; undefined where there is no place for any: in a database, unless one is named. */
export function blobsOf({ blobs, files }: StoreWithBlobs, session: string): BlobPlace | undefined {
  if (blobs || !files) return blobs
  return folderPlace(blobsFolder(session, files.agentDir))
}

/** The blobs that are meant where no session is. */
export function storedBlobs({ blobs, files }: StoreWithBlobs): BlobPlace | undefined {
  return blobs ?? (files && folderPlace(join(files.agentDir, "blobs")))
}

/** Makes new sessions. Those that exist are opened by a manager with their own blobs. */
export async function ownManager<Storage extends SessionSource>(
  sessions: StoreWithBlobs & Managed<Storage>,
): Promise<SessionManager<Storage>> {
  return managerWith(sessions, await storedBlobs(sessions)?.open())
}

export async function readOnlyManager<Storage extends SessionSource>(
  sessions: StoreWithBlobs & Managed<Storage>,
  session: string,
): Promise<SessionManager<Storage>> {
  return managerWith(sessions, await blobsOf(sessions, session)?.read())
}

export async function writingManager(
  sessions: StoreWithBlobs & Managed<SessionStorage>,
  session: string,
): Promise<SessionManager> {
  return managerWith(sessions, await blobsOf(sessions, session)?.open())
}

/** @param blobs undefined: images stay in the lines. What writes sessions needs a `BlobStore` */
export async function managerWith<Storage extends SessionSource>(
  { storage, projectOf }: Managed<Storage>,
  blobs: BlobSource | undefined,
): Promise<SessionManager<Storage>> {
  const { SessionManager } = await import("./session-manager.js")
  return new SessionManager({ storage, projectOf, anyFile: true, ...(blobs && { blobs }) })
}

/** For a copy of a session that refers to blobs. @param option that names a place for them; the result throws a UsageError */
export function noPlaceFor(option: string): () => never {
  return () => {
    const advice = `name one with ${option}, a folder or s3://bucket/prefix`
    throw new UsageError(`The session refers to blobs, which need a place: ${advice}.`)
  }
}

/** @throws UsageError where there is no place for blobs */
export function requirePlace(place: BlobPlace | undefined, { address }: { readonly address: string }): BlobPlace {
  if (place) return place
  const message = `${address} has no blobs: name where they are with --blobs or TREELOG_BLOBS, a folder or s3://bucket/prefix.`
  throw new UsageError(message, { store: address })
}

/** A place that must be a folder. @throws UsageError for a bucket */
export function requireFolder({ name, folder }: BlobPlace, instead: string): string {
  if (folder !== undefined) return folder
  throw new UsageError(`${name} is not a folder: ${instead}.`, { blobs: name })
}

/** Whether a sweep of the blobs finds the session without --root. */
export function isFoundByGc(session: string, blobs: string): boolean {
  return session.startsWith(join(dirname(blobs), "sessions") + sep)
}

/**
 * Where the blobs of a session are (FORMAT.md, section 1): of one in a store, which any folder `<X>` with `<X>/sessions` is
 * taken for, in that store; of any other one beside it, where no sweep of a store that does not know of it can take them.
 * @param session absolute path of its file
 * @param agentDir the store that commands work on, an absolute path
 */
export function blobsFolder(session: string, agentDir: string): string {
  return join(enclosingStore(session, agentDir) ?? dirname(session), "blobs")
}

/** The store that contains the session. Artifacts may have a folder `sessions` too, so the known store is tried first. */
function enclosingStore(session: string, agentDir: string): string | undefined {
  if (session.startsWith(join(agentDir, "sessions") + sep)) return agentDir
  const at = session.lastIndexOf(`${sep}sessions${sep}`)
  return at === -1 ? undefined : session.slice(0, at) || sep
}

/**
 * The files of a store, for what only they have.
 * @param what the command or option that needs them
 * @param instead why, and what to do with a store on a server
 * @throws UsageError where sessions are no files; ReadOnlyStorageError for those of another agent
 */
export function requireFiles(store: OpenStore, what: string, instead: string): FileStore {
  const { files, address } = store
  requireWritable(store)
  if (files) return files
  throw new UsageError(`${what} is for stores of files, and ${address} is a database: ${instead}.`, { store: address })
}

/** Whether sessions of the store can be changed. */
export function isWritableStore(store: Sessions): store is Sessions<SessionStorage> {
  return isWritable(store.storage)
}

/**
 * @param ref of the session that is to be changed
 * @throws ReadOnlyStorageError for the sessions of another agent, before a command changes anything
 */
export function requireWritable(store: Sessions, ref?: string): asserts store is Sessions<SessionStorage>
export function requireWritable(store: OpenStore, ref?: string): asserts store is OpenStore<SessionStorage>
export function requireWritable({ storage, agent, address }: OpenStore, ref = "ID"): void {
  if (isWritable(storage)) return
  if (agent === undefined) {
    const instead = `treelog restore ${shellWord(ref)}`
    const message = `The copies in ${address} are only read: \`${instead}\` puts a session back where its agent had it.`
    throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
  }
  const instead = `treelog import --from ${agent} ${shellWord(ref)}`
  const message = `The sessions of ${agent} are only read: ${address}. \`treelog resume ${shellWord(ref)}\` continues one in ${agent}, and --with pi in a copy; to change a copy, import it: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key: address, instead })
}
