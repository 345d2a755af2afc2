import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { toStorageError } from "@treelog-internal/fs"
import type { Surroundings } from "../surroundings.js"
import { linesIn, ownRoot } from "./kept-stores.js"

function holdsPath(surroundings: Surroundings): string {
  return join(ownRoot(surroundings), "holds.txt")
}

/** The ids of sessions whose copies are not removed. @throws StorageError */
export function heldSessions(surroundings: Surroundings): ReadonlySet<string> {
  return new Set(linesIn(holdsPath(surroundings)))
}

/** Holds the copy of a session, or lets go of it. @throws StorageError */
export function holdSession(surroundings: Surroundings, id: string, isHeld: boolean): void {
  const path = holdsPath(surroundings)
  const others = [...heldSessions(surroundings)].filter((one) => one !== id)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const lines = [...others, ...(isHeld ? [id] : [])]
    writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(""), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  } catch (error) {
    throw toStorageError(error, path, "write")
  }
}
