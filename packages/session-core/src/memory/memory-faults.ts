import { TreelogError, type TreelogErrorData } from "../errors.js"
import type { StorageStat } from "../ports/storage-stat.js"

interface Stored {
  readonly stat: StorageStat
}

/** Returns the object under the key if it is the one that the caller expects. @throws SessionChangedError */
export function assertUnchanged<Kept extends Stored>(
  key: string,
  object: Kept | undefined,
  expected: StorageStat,
): Kept {
  if (object === undefined) throw sessionChanged(key, "gone")
  assertSame(key, object, expected.identity)
  if (object.stat.size < expected.size) throw sessionChanged(key, "shrunk")
  if (object.stat.size > expected.size) throw sessionChanged(key, "grown")
  return object
}

export function assertSame(key: string, object: Stored, identity: string): void {
  if (object.stat.identity !== identity) throw sessionChanged(key, "replaced")
}

export function assertFound<Kept extends Stored>(key: string, object: Kept | undefined): Kept {
  if (object !== undefined) return object
  throw new TreelogError("SessionNotFoundError", `Nothing is stored under ${key}`, { ref: key })
}

export function assertFree(key: string, object: Stored | undefined): void {
  if (object === undefined) return
  throw new TreelogError("SessionExistsError", `A session is stored under ${key} already`, { key })
}

function sessionChanged(
  key: string,
  change: TreelogErrorData["SessionChangedError"]["change"],
): TreelogError<"SessionChangedError"> {
  return new TreelogError("SessionChangedError", `The session ${key} is not what was read: ${change}`, { key, change })
}
