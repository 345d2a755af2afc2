import { dirname, join, sep } from "node:path"

export interface BlobsQuestion {
  /** Absolute path of the session's file. */
  readonly session: string
  /** What `--blobs` says. An absolute path. */
  readonly given: string | undefined
  /** The store that commands work on. An absolute path. */
  readonly agentDir: string
  /** Whether there is a folder `blobs` beside the session. */
  readonly hasOwn: boolean
}

/**
 * Where the blobs of a session are (FORMAT.md, section 1): of one in a store, which any folder `<X>` with `<X>/sessions` is
 * taken for, in that store; of another one beside it, where there are any, else in the store that commands work on.
 */
export function blobsFolder({ session, given, agentDir, hasOwn }: BlobsQuestion): string {
  if (given !== undefined) return given
  return join(storeAround(session, agentDir) ?? (hasOwn ? dirname(session) : agentDir), "blobs")
}

/** The store that the session lies in. Artifacts may have a folder `sessions` too, so the known store comes first. */
function storeAround(session: string, agentDir: string): string | undefined {
  if (session.startsWith(join(agentDir, "sessions") + sep)) return agentDir
  const at = session.lastIndexOf(`${sep}sessions${sep}`)
  return at === -1 ? undefined : session.slice(0, at) || sep
}
