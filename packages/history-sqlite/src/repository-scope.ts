import { basename, dirname } from "node:path"
import { gitRepositoryOf, worktreesOf } from "@treelog-internal/fs"
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
  const roots = [...new Set([root, ...main, ...worktreesOf(gitDir)])].sort()
  return { kind: "repository", roots }
}
