import { dirname, join, sep } from "node:path"

export interface BlobsQuestion {
  /** Absolute path of the session's file. */
  readonly session: string
  /** What `--blobs` says. An absolute path. */
  readonly given: string | undefined
  /** The store that commands work on. An absolute path. */
  readonly agentDir: string
}

/**
 * Where the blobs of a session are (FORMAT.md, section 1): of one in a store, which any folder `<X>` with `<X>/sessions` is
 * taken for, in that store; of any other one beside it, where no sweep of a store that does not know of it can take them.
 */
export function blobsFolder({ session, given, agentDir }: BlobsQuestion): string {
  return given ?? join(storeAround(session, agentDir) ?? dirname(session), "blobs")
}

/** The store that the session lies in. Artifacts may have a folder `sessions` too, so the known store comes first. */
function storeAround(session: string, agentDir: string): string | undefined {
  if (session.startsWith(join(agentDir, "sessions") + sep)) return agentDir
  const at = session.lastIndexOf(`${sep}sessions${sep}`)
  return at === -1 ? undefined : session.slice(0, at) || sep
}
