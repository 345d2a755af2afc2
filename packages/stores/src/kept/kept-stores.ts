// Where `keep` has its copies: ROOT/STORE/files is a copy of the folder of a store, file by file, and ROOT/STORE/former-1 has what was rewritten in the
// form that it had before; what was rewritten again is in former-2. Each is read as the store of its agent is.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { agentDirOf } from "@treelog/storage-fs"
import { absoluteFolder, ifThere, textIfThere, toStorageError } from "@treelog-internal/fs"
import type { Surroundings } from "../surroundings.js"

/** The copies of one store: of its present files, or of former ones. */
export interface KeptStore {
  /** As `storeNamed` takes it: `codex:kept`, `codex:kept work` of codex:work, `codex:kept-2` with the former files. */
  readonly store: string
  /** The store that it has copies of. */
  readonly of: string
  /** An absolute path: the folder of the store is copied to this one. */
  readonly folder: string
}

/** A copy of the present files. */
export const PRESENT = "files"
const FOLDER = /^(?:files|former-(\d{1,4}))$/

/** Where `keep` has its copies: treelog's own folder, and those that `--into` named. Absolute paths. @throws StorageError */
export function keptRoots(surroundings: Surroundings): string[] {
  const own = ownRoot(surroundings)
  return [...new Set([own, ...linesIn(join(own, FOLDERS))])]
}

/** Treelog's own folder with copies. An absolute path. */
export function ownRoot(surroundings: Surroundings): string {
  return join(absoluteFolder(surroundings, agentDirOf("treelog", surroundings.env)), "kept")
}

/** The file that names other folders with copies: a path in each line. */
const FOLDERS = "folders.txt"

/** The lines of a file; none where there is no file. @throws StorageError */
export function linesIn(path: string): string[] {
  return (textIfThere(path) ?? "").split("\n").filter(Boolean)
}

/** Remembers a folder with copies, so that lists have what is in there. @throws StorageError */
export function useKeptRoot(surroundings: Surroundings, root: string): void {
  const own = ownRoot(surroundings)
  const path = join(own, FOLDERS)
  const named = linesIn(path)
  if (root === own || named.includes(root)) return
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    writeFileSync(path, [...named, root, ""].join("\n"), { mode: 0o600 })
  } catch (error) {
    throw toStorageError(error, path, "write")
  }
}

/** The folder of a store in one with copies. */
export function keptFolder(root: string, store: string): string {
  return join(root, encodeURIComponent(store))
}

/** The store of a folder; undefined for a folder that `keep` did not make. */
function storeOf(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The copies of all stores. @throws StorageError */
export function keptStores(surroundings: Surroundings): KeptStore[] {
  const found: KeptStore[] = []
  for (const [at, root] of keptRoots(surroundings).entries())
    for (const name of foldersIn(root)) {
      const of = storeOf(name)
      if (of === undefined) continue
      const [program = "", ...own] = of.split(":")
      for (const part of foldersIn(join(root, name))) {
        const [isOne, former] = FOLDER.exec(part) ?? []
        if (isOne === undefined) continue
        const number = [former && Number(former) + 1, at > 0 && `in-${at + 1}`].filter(Boolean)
        const store = `${program}:${["kept", ...number].join("-")}${own.length > 0 ? ` ${own.join(":")}` : ""}`
        found.push({ store, of, folder: join(root, name, part) })
      }
    }
  return found.sort((a, b) => (a.store < b.store ? -1 : 1))
}

/** Whether a name is that of copies. */
export function isKeptStore(store: string): boolean {
  return /^[^:]+:kept(?:-\d+)?(?:-in-\d+)?(?: |$)/.test(store)
}

function foldersIn(folder: string): string[] {
  const entries = ifThere(folder, (path) => readdirSync(path, { withFileTypes: true })) ?? []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
