import { join } from "node:path"
import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { type FsPort, makeDurableFolder, nodeFs, withStorageErrors } from "@treelog-internal/fs"
import { keptFolder, ownRoot } from "./kept-stores.js"
import { fetchCopies, type RemoteReport, sendCopies } from "./remote-copies.js"
import type { RemoteObjects } from "./remote-objects.js"
import { type KeeperOptions, type KeptCounts, StoreKeeper, type Sum } from "./store-keeper.js"
import { storesToKeep } from "./stores-to-keep.js"

/** What is kept, and where. */
export interface KeepOptions extends KeeperOptions {
  /** The folder with the copies. An absolute path. Default: treelog's own. */
  readonly into?: string
  /** Of which stores, as `storeNamed` takes them. Default: of all agents. */
  readonly stores?: readonly string[] | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort
  /** Where the copies are sent to, once they are up to date. Where that fails, `onError` is called with its name as the store. */
  readonly sendTo?: RemoteObjects | undefined
}

/** What was done. */
export interface KeepReport extends KeptCounts {
  /** What was sent; undefined where nothing could be, or was to be. */
  readonly sent?: RemoteReport
}

/**
 * Brings the copies of all sessions up to date. When it resolves, what the stores had when it began is on the disk.
 * @throws InvalidArgumentError for a store of which none are kept; SessionBusyError while another process does so; StorageError where the folder
 * cannot be written
 */
export function keepSessions(options: KeepOptions): Promise<KeepReport> {
  const { into: root = ownRoot(options), fs = nodeFs } = options
  return withCopies(options, async () => {
    const sum: Sum = { files: 0, changed: 0, bytes: 0, gone: 0, failed: 0 }
    const onUnreadable = (store: string, error: unknown): void => {
      if (!isTreelogError(error)) throw error
      sum.failed += 1
      options.onError?.(store, "", error)
    }
    for (const store of await storesToKeep(options, root, onUnreadable)) {
      options.signal?.throwIfAborted()
      await new StoreKeeper(store, keptFolder(root, store.store), fs, options, sum).keep()
    }
    const sent = options.sendTo && (await send(options.sendTo, { ...options, root, fs }, sum))
    return { ...sum, ...(sent && { sent }) }
  })
}

async function send(
  objects: RemoteObjects,
  { root, fs, signal, onError = () => {} }: KeepOptions & { readonly root: string; readonly fs: FsPort },
  sum: Sum,
): Promise<RemoteReport | undefined> {
  const tell = (path: string, error: TreelogError) => onError(objects.name, path, error)
  try {
    const sent = await sendCopies({ fs, root, objects, signal, onError: tell })
    sum.failed += sent.failed
    return sent
  } catch (error) {
    // What is kept here is kept, whatever the network does.
    if (!isTreelogError(error)) throw error
    sum.failed += 1
    tell("", error)
    return undefined
  }
}

/**
 * Brings copies back that were sent from here, or from a machine that is no more: those that are not here.
 * @throws InvalidArgumentError where there are none; SessionBusyError while another process works on the copies; StorageError where they cannot be
 * reached or written: the next time brings the rest
 */
export function bringCopiesBack(
  options: Pick<KeepOptions, "env" | "cwd" | "into" | "fs" | "signal" | "onError"> & { readonly from: RemoteObjects },
): Promise<RemoteReport> {
  const { into: root = ownRoot(options), fs = nodeFs, from, signal, onError = () => {} } = options
  const tell = (path: string, error: TreelogError) => onError(from.name, path, error)
  return withCopies(options, () => fetchCopies({ fs, root, objects: from, signal, onError: tell }))
}

/** One process at a time works on the copies in a folder. */
async function withCopies<Result>(
  options: Pick<KeepOptions, "env" | "cwd" | "into" | "fs">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { into: root = ownRoot(options), fs = nodeFs, env } = options
  await withStorageErrors(root, "make", () => makeDurableFolder(fs, root))
  const storage = new FileSessionStorage({ agentDir: root, sessionDir: root, env, cacheDir: null })
  const lock = await storage.lease(join(root, "keep.jsonl"), { access: "exclusive", waitMs: 0 })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}
