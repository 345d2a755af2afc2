import { type FsPort, nodeFs } from "@treelog/storage-fs"

type SyncFile = ReturnType<FsPort["openSync"]>

/**
 * A file system whose asynchronous syncs end when the test lets them.
 * @param changed what else is replaced of a file
 */
export function holdSyncs(changed: (file: SyncFile) => Partial<SyncFile>): {
  readonly fs: FsPort
  /** Each ends one sync. */
  readonly held: (() => void)[]
} {
  const held: (() => void)[] = []
  const fs: FsPort = {
    ...nodeFs,
    openSync: (path, flags, mode) => {
      const file = nodeFs.openSync(path, flags, mode)
      const datasync = () => new Promise<void>((resolve) => held.push(resolve))
      return Object.assign(file, { datasync, ...changed(file) })
    },
  }
  return { fs, held }
}
