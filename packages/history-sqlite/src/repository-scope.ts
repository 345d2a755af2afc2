import { readdir, readFile, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import type { PromptScope } from "@treelog/session-core/prompt-history"

/**
 * The scope of the git repository of a folder: its root and those of its worktrees. Only the folder if it is in no repository. Does not
 * run git.
 */
export async function repositoryScope(cwd: string): Promise<PromptScope> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = await gitDirOf(join(folder, ".git"))
    if (gitDir !== undefined) return { kind: "repository", roots: await rootsOf(folder, gitDir) }
    if (folder === dirname(folder)) return { kind: "cwd", cwd }
  }
}

/** The git directory of a `.git`: itself if it is a folder, or the folder that the file names. */
async function gitDirOf(path: string): Promise<string | undefined> {
  const found = await orUndefined(stat(path))
  if (found === undefined || found.isDirectory()) return found && path
  const text = await readFile(path, "utf8")
  const [, named] = /^gitdir: (.+)$/m.exec(text) ?? []
  return named === undefined ? undefined : resolve(dirname(path), named.trim())
}

async function rootsOf(folder: string, gitDir: string): Promise<string[]> {
  const common = await orUndefined(readFile(join(gitDir, "commondir"), "utf8"))
  const repository = common === undefined ? gitDir : resolve(gitDir, common.trim())
  // A bare repository has no root, and neither has that of a submodule, which is inside another repository.
  const main = basename(repository) === ".git" ? [dirname(repository)] : []
  return [...new Set([folder, ...main, ...(await worktreesOf(repository))])].sort()
}

/** The worktrees: each has a folder in the repository, with a file `gitdir` that contains the path of its `.git`. */
async function worktreesOf(repository: string): Promise<string[]> {
  const names = (await orUndefined(readdir(join(repository, "worktrees")))) ?? []
  const files = names.map((name) => join(repository, "worktrees", name, "gitdir"))
  const texts = await Promise.all(files.map((file) => orUndefined(readFile(file, "utf8"))))
  return texts.flatMap((text, at) =>
    text === undefined ? [] : [dirname(resolve(dirname(files[at] ?? ""), text.trim()))],
  )
}

/** Undefined if there is no such file; throws other errors. */
async function orUndefined<Value>(attempt: Promise<Value>): Promise<Value | undefined> {
  try {
    return await attempt
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw error
  }
}
