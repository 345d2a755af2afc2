import { homedir } from "node:os"
import { basename, dirname, isAbsolute } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { gitDirIn } from "@treelog-internal/fs"

/** No file system has a longer path; sessions from elsewhere may name one. */
const LONGEST_PATH = 4096
/** Of a submodule, which is a project of its own; and of a worktree whose repository is gone. */
const WITHIN_GIT = /[/\\]\.git[/\\](?:modules|worktrees)[/\\]/

/**
 * A function that names the project of a folder: the folder of the git repository that it is in, the same for subfolders and worktrees.
 * Undefined for a folder in no repository, and for one that cannot be read. A repository that is the home folder or `/` is no project.
 * What it found it remembers, of each folder on the way. Does not run git.
 */
export function projectFolders(home: string = homedir()): (cwd: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (cwd) => {
    if (!isAbsolute(cwd) || cwd.length > LONGEST_PATH || cwd.includes("\0")) return undefined
    const way: string[] = []
    let project: string | undefined
    for (let folder = cwd; ; folder = dirname(folder)) {
      if (known.has(folder)) {
        project = known.get(folder)
        break
      }
      way.push(folder)
      project = projectAt(folder, home)
      if (project !== undefined || folder === dirname(folder)) break
    }
    for (const folder of way) known.set(folder, project)
    return project
  }
}

function projectAt(root: string, home: string): string | undefined {
  try {
    const gitDir = gitDirIn(root, home)
    if (gitDir === undefined || WITHIN_GIT.test(gitDir)) return gitDir && root
    // `shop/.git`, and `shop/.bare` beside its worktrees; another name is that of a bare repository.
    return basename(gitDir).startsWith(".") ? dirname(gitDir) : gitDir
  } catch (error) {
    // Somebody else's folder: whether it is in a repository cannot be known, and its sessions are listed all the same.
    if (isTreelogError(error, "StorageError")) return undefined
    throw error
  }
}
