import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { isGone, toStorageError } from "./storage-error.js"

/** The git repository that a folder is in. */
export interface GitRepository {
  /** The folder that has the `.git`: the root of the working tree. */
  readonly root: string
  /** The folder that has the configuration: one for the repository and its worktrees. */
  readonly gitDir: string
}

/** Looks in the folder and those above it. Does not run git. @throws StorageError */
export function gitRepositoryOf(cwd: string): GitRepository | undefined {
  for (let root = resolve(cwd); ; root = dirname(root)) {
    const gitDir = gitDirOf(join(root, ".git"))
    if (gitDir !== undefined) return { root, gitDir }
    if (root === dirname(root)) return undefined
  }
}

function gitDirOf(path: string): string | undefined {
  const found = ifThere(path, statSync)
  if (found === undefined || found.isDirectory()) return found && path
  const [, named] = /^gitdir: (.+)$/m.exec(textIfThere(path) ?? "") ?? []
  if (named === undefined) return undefined
  const gitDir = resolve(dirname(path), named.trim())
  const common = textIfThere(join(gitDir, "commondir"))
  return common === undefined ? gitDir : resolve(gitDir, common.trim())
}

/** The text of a file; undefined if there is none. @throws StorageError */
export function textIfThere(path: string): string | undefined {
  return ifThere(path, (it) => readFileSync(it, "utf8"))
}

function ifThere<Value>(path: string, attempt: (path: string) => Value): Value | undefined {
  try {
    return attempt(path)
  } catch (error) {
    if (isGone(error)) return undefined
    throw toStorageError(error, path, "read")
  }
}
