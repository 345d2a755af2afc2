import { TreelogError } from "../errors.js"
import { type Steps, step } from "../steps.js"
import type { SessionSource, StorageStat } from "./session-source.js"
import type { Lease, SessionStorage, SyncLease, SyncSessionStorage } from "./session-storage.js"

export function isSyncStorage(source: SessionSource): source is SyncSessionStorage {
  return (source as Partial<SyncSessionStorage>).leaseSync !== undefined
}

/** @throws StorageError */
export function assertSyncStorage(
  storage: SessionSource,
  key: string,
  operation: string,
): asserts storage is SyncSessionStorage {
  if (isSyncStorage(storage)) return
  const message = `${operation} cannot work on ${key}: this storage has no leaseSync. Use the method that returns a promise.`
  throw new TreelogError("StorageError", message, { key, operation, errno: undefined })
}

export function isSyncLease(storage: SessionStorage, lease: Lease): lease is SyncLease {
  return isSyncStorage(storage) && "appendSync" in lease
}

/** Releases a lease: with promises, where there are any. */
export function releaseLease(storage: SessionStorage, lease: Lease): Steps<void> {
  return step(
    () => lease.release(),
    () => (isSyncLease(storage, lease) ? lease.releaseSync() : undefined),
  )
}

/** The bytes of what is stored under the key, from an offset on, up to the size in `stat`. */
export function readAllSync(
  storage: SyncSessionStorage,
  key: string,
  { size, identity }: Pick<StorageStat, "size" | "identity">,
  from = 0,
): Uint8Array {
  const ranges = storage.openRangesSync(key, identity)
  try {
    return ranges.read(from, size - from)
  } finally {
    ranges.close()
  }
}
