import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobSource } from "@treelog/blob-store"
import type { BlobStore, SessionStorage } from "@treelog/session-core"
import type { StoredName } from "@treelog/session-core/adapter"
import { type CopiedSession, copySessions } from "@treelog/session-core/maintenance"
import { FileSessionStorage } from "@treelog/storage-fs"
import { type FsPort, nodeFs } from "@treelog-internal/fs"
import type { BundledSession, Manifest } from "./manifest.js"
import { firstBytes, unpack } from "./read-archive.js"
import { makeStaging } from "./staging.js"

type CopySessionsOptions = Parameters<typeof copySessions>[0]

/** Where sessions of a bundle are stored. */
export interface UnbundleTarget extends Pick<CopySessionsOptions, "projectOf"> {
  readonly to: SessionStorage
  /** Undefined where there is no place for blobs: those of the bundle are missing then. */
  readonly blobs: BlobStore | undefined
  /** See `BlobStores`. */
  readonly onNoStore?: (hash: string) => void
  /** The agent whose store it is. Sessions of others have theirs in the header, in `source`. */
  readonly agent?: string
}

/** What becomes of the sessions of a bundle. */
export interface UnbundleOptions extends UnbundleTarget {
  /** Another target for sessions of a store, which it gets as `treelog bundle` named it; asked once for each. Default: `to`. */
  readonly targetOf?: (store: string) => Promise<UnbundleTarget | undefined>
  /** The other stores of the machine, of which none may have another session with the id of one: see `CopySessionsOptions`. Default: none. */
  readonly others?: CopySessionsOptions["others"]
  /** The folder in which the bundle is unpacked first. An absolute path. Default: that of the system. */
  readonly stagingDir?: string
  /** The folder here of a session's folder on the other machine. Default: the same. */
  readonly cwdOf?: (cwd: string) => string
  /** Verify the bundle, report what would be stored, and store nothing. Default false. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that were unpacked, compared or stored since the last call. */
  readonly onProgress?: ((bytes: number) => void) | undefined
  /** For tests of faults. Default: the file system of Node. */
  readonly fs?: FsPort
}

/** What became of a session of the bundle: `path` is its name there. */
export type UnbundledSession = (CopiedSession | { readonly key: string; readonly error: unknown }) & {
  readonly path: string
}

// Crash argument. Until all of the bundle is unpacked and verified, nothing of it is stored. Then each session is copied as `copySessions`
// does it: after a crash some sessions are there, and of one a beginning. The next run continues there.

/** Unpacks a bundle, verifies it, and stores its sessions. @throws BundleError, StorageError; the reason of `signal` */
export async function* unbundle(
  input: AsyncIterable<Uint8Array>,
  options: UnbundleOptions,
): AsyncGenerator<UnbundledSession> {
  const { stagingDir = tmpdir(), cwdOf, targetOf, others = [], dryRun = false, fs = nodeFs } = options
  const { signal = new AbortController().signal, onProgress = () => {} } = options
  const chunks = input[Symbol.asyncIterator]()
  // At once: the error of a stream of a file that is not there would end the process while nothing reads.
  const first = firstBytes(chunks)
  void Promise.allSettled([first])
  const staging = await makeStaging(fs, stagingDir).catch(async (error: unknown) => {
    await chunks.return?.()
    throw error
  })
  try {
    const { folder, space } = staging
    const unpacking = { fs, folder, space, isStored: !dryRun, signal, onProgress }
    const { sessions } = await unpack(await first, chunks, unpacking)
    const staged = new FileSessionStorage({ agentDir: folder, cacheDir: null })
    for (const { store, person, sessions: some } of byOrigin(sessions)) {
      const target = (store !== undefined && (await targetOf?.(store))) || options
      const agent = store?.replace(/:.*/s, "")
      // Their names have no ids.
      const list = async function* (): AsyncGenerator<StoredName> {
        for (const { path, project } of some) yield { key: join(folder, path), project }
      }
      const reports = copySessions({
        from: {
          stat: (key) => staged.stat(key),
          readRange: (...range) => staged.readRange(...range),
          artifacts: (key) => staged.artifacts(key),
          list,
          find: list,
        },
        to: target.to,
        blobs: { from: new FileBlobSource(join(folder, "blobs")), to: target.blobs, onNoStore: target.onNoStore },
        ...(cwdOf && { cwdOf }),
        ...(target.projectOf && { projectOf: target.projectOf }),
        ...(agent !== target.agent && { source: originOf(agent, person) }),
        others,
        dryRun,
        signal,
        onProgress,
      })
      for await (const report of reports) yield { ...report, path: report.key.slice(folder.length + 1) }
    }
  } finally {
    await chunks.return?.()
    await staging.remove()
  }
}

/** What the header of a session says in the store of another program. treelog is no agent. */
function originOf(agent: string | undefined, person: string | undefined): CopySessionsOptions["source"] {
  const isAgent = agent !== undefined && agent !== "treelog"
  return isAgent || person ? { ...(isAgent && { agent }), ...(person && { person }) } : undefined
}

/** The sessions that are from one store and one person, in the order of the bundle. */
function byOrigin(sessions: Manifest["sessions"]) {
  const groups = new Map<string, Pick<BundledSession, "store" | "person"> & { readonly sessions: BundledSession[] }>()
  for (const session of sessions) {
    const { store, person } = session
    const name = JSON.stringify([store, person])
    const group = groups.get(name) ?? { ...(store !== undefined && { store }), ...(person && { person }), sessions: [] }
    groups.set(name, group)
    group.sessions.push(session)
  }
  return groups.values()
}
