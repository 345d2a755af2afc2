import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { isGone, toStorageError } from "./storage-error.js"

export interface GitRepository {
  /** The folder that has the `.git`: the root of the working tree. */
  readonly root: string
  /** The folder that has the configuration: one for the repository and its worktrees. */
  readonly gitDir: string
}

/**
 * Looks in the folder and those above it. Does not run git. The home folder and `/` have no repository here: who keeps settings in one there
 * would have a single project otherwise.
 * @throws StorageError
 */
export function gitRepositoryOf(cwd: string): GitRepository | undefined {
  for (let root = resolve(cwd); ; root = dirname(root)) {
    const gitDir = gitDirIn(root)
    if (gitDir !== undefined) return { root, gitDir }
    if (root === dirname(root)) return undefined
  }
}

/** The folder of the configuration, if the folder is the root of a working tree, and no home folder. Does not run git. @throws StorageError */
export function gitDirIn(root: string, home: string = homedir()): string | undefined {
  const path = join(root, ".git")
  const found = ifThere(path, statSync)
  if (found === undefined || [dirname(root), home, ifThere(home, realpathSync)].includes(root)) return undefined
  // Sandboxes of agents leave an empty one.
  if (found.isDirectory())
    return ["HEAD", "config"].some((name) => ifThere(join(path, name), statSync)) ? path : undefined
  // A pipe would be waited for.
  if (!found.isFile()) return undefined
  const [, named] = /^gitdir: (.+)$/m.exec(textIfThere(path) ?? "") ?? []
  if (named === undefined) return undefined
  const gitDir = resolve(dirname(path), named.trim())
  const common = textIfThere(join(gitDir, "commondir"))
  return common === undefined ? gitDir : resolve(gitDir, common.trim())
}

/** The folders of the worktrees that a repository has, or had: git forgets one that is gone at its next `worktree prune`. @throws StorageError */
export function worktreesOf(gitDir: string): string[] {
  const folder = join(gitDir, "worktrees")
  const names = ifThere(folder, (path) => readdirSync(path)) ?? []
  return names.flatMap((name) => {
    const gitFile = textIfThere(join(folder, name, "gitdir"))?.trim()
    return gitFile ? [dirname(resolve(folder, name, gitFile))] : []
  })
}

/** The text of a file; undefined if there is none. @throws StorageError */
export function textIfThere(path: string): string | undefined {
  return ifThere(path, (it) => readFileSync(it, "utf8"))
}

/** What reading a file or a folder returns; undefined if there is none. @throws StorageError */
export function ifThere<Value>(path: string, attempt: (path: string) => Value): Value | undefined {
  try {
    return attempt(path)
  } catch (error) {
    if (isGone(error)) return undefined
    throw toStorageError(error, path, "read")
  }
}
