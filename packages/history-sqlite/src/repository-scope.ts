import { readdir } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { gitRepositoryOf, isGone, textIfThere } from "@treelog-internal/fs"
import type { PromptScope } from "./prompt.js"

/**
 * The scope of the git repository of a folder: its root and those of its worktrees. Only the folder if it is in no repository. Does not
 * run git.
 */
export async function repositoryScope(cwd: string): Promise<PromptScope> {
  const repository = gitRepositoryOf(cwd)
  if (!repository) return { kind: "cwd", cwd }
  const { root, gitDir } = repository
  // A bare repository has no root, and neither has that of a submodule, which is inside another repository.
  const main = basename(gitDir) === ".git" ? [dirname(gitDir)] : []
  const roots = [...new Set([root, ...main, ...(await worktreesOf(gitDir))])].sort()
  return { kind: "repository", roots }
}

/** The worktrees: each has a folder in the repository, with a file `gitdir` that contains the path of its `.git`. */
async function worktreesOf(gitDir: string): Promise<string[]> {
  const files = (await namesInFolder(join(gitDir, "worktrees"))).map((name) =>
    join(gitDir, "worktrees", name, "gitdir"),
  )
  return files.flatMap((file) => {
    const text = textIfThere(file)
    return text === undefined ? [] : [dirname(resolve(dirname(file), text.trim()))]
  })
}

async function namesInFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}
