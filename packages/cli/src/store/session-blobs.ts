import { dirname, join, sep } from "node:path"
import type { BlobSource, SessionManager, SessionSource, SessionStorage } from "@treelog/session-core"
import type { ProjectOf } from "@treelog/session-core/adapter"
import type { FileStore } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import { type BlobPlace, folderPlace } from "./blob-place.js"

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
