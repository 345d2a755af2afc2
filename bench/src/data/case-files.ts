import { closeSync, copyFileSync, fsyncSync, openSync } from "node:fs"
import { join } from "node:path"

const NAME = "session.jsonl"

/** The session that a case is about: under this name in its `data`. */
export function sessionIn(folder: string): string {
  return join(folder, NAME)
}

/** Copies the session into a folder where it may be changed, and already on the disk. */
export function copyInto(folder: string, scratch: string): string {
  const copy = join(scratch, NAME)
  copyFileSync(sessionIn(folder), copy)
  const file = openSync(copy, "r+")
  fsyncSync(file)
  closeSync(file)
  return copy
}
