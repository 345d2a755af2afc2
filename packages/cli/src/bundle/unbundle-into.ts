import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import type { BlobStore, SessionStorage } from "@treelog/session-core"
import { type CopiedSession, copySessions, type UncopiedSession } from "@treelog/session-core/adapter"
import { FileSessionStorage } from "@treelog/storage-fs"
import type { FsPort } from "@treelog-internal/fs"
import { type FolderMapping, mappedFolder } from "./map-folder.js"
import { unpack } from "./read-archive.js"
import { StagedSessions } from "./staged-sessions.js"
import { withStaging } from "./staging.js"

/** Where a bundle is unpacked, and what its sessions are stored in. */
export interface UnbundleOptions {
  readonly fs: FsPort
  /** The folder beside whose sessions the bundle is unpacked first. An absolute path. */
  readonly stagingIn: string
  readonly to: SessionStorage
  readonly blobs: BlobStore
  readonly mappings: readonly FolderMapping[]
  readonly projectOf: (cwd: string) => string | undefined
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Called with the number of bytes that were unpacked, compared or stored since the last call. */
  readonly onProgress: (bytes: number) => void
}

/** A report for a session of the bundle: `path` is its name in that, and `key` where it was unpacked. */
export type UnbundledSession = (CopiedSession | UncopiedSession) & { readonly path: string }

// Crash argument. Until all of the bundle is unpacked and verified, nothing of it is stored. Then each session is copied as `treelog copy`
// does it (see copy-sessions.ts): after a crash some sessions are there, and of one a beginning. The next run continues there.

/** Unpacks a bundle, verifies it, and stores its sessions. @throws BundleError, StorageError; the reason of `signal` */
export async function unbundleInto(
  input: AsyncIterable<Uint8Array>,
  { fs, stagingIn, to, blobs, mappings, projectOf, dryRun, signal, onProgress }: UnbundleOptions,
  onSession: (report: UnbundledSession) => Promise<void>,
): Promise<void> {
  await withStaging(fs, stagingIn, async (folder, free) => {
    const manifest = await unpack(input, { fs, folder, free, signal, onProgress })
    const staged = new FileSessionStorage({ agentDir: folder, cacheDir: null })
    const reports = copySessions({
      from: new StagedSessions(staged, folder, manifest),
      to,
      blobs: { from: new FileBlobStore(join(folder, "blobs")), to: blobs },
      artifacts: to.supports.artifacts,
      cwdOf: (cwd) => mappedFolder(cwd, mappings),
      projectOf,
      onConflict: "sibling",
      dryRun,
      signal,
      onProgress,
    })
    for await (const report of reports) await onSession({ ...report, path: report.key.slice(folder.length + 1) })
  })
}
