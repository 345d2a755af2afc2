import { type FsPort, nodeFs } from "../src/index.js"

type SyncFile = ReturnType<FsPort["openSync"]>

/**
 * A file system whose asynchronous syncs end when the test lets them.
 * @param changed what is replaced of a file that was opened synchronously
 */
export function holdSyncs(changed: (file: SyncFile) => Partial<SyncFile>): {
  readonly fs: FsPort
  /** Each ends one sync. */
  readonly held: (() => void)[]
} {
  const held: (() => void)[] = []
  const fs: FsPort = {
    ...nodeFs,
    open: async (path, flags, mode) => {
      const file = await nodeFs.open(path, flags, mode)
      file.datasync = () => new Promise<void>((resolve) => held.push(resolve))
      return file
    },
    openSync: (path, flags, mode) => {
      const file = nodeFs.openSync(path, flags, mode)
      return Object.assign(file, changed(file))
    },
  }
  return { fs, held }
}
