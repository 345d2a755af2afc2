import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { readError } from "../io/read-error.js"

/**
 * The name of the project of a folder, the same on every machine: host and path of the `origin` of its git repository, such as
 * `github.com/me/shop`, without names and keys of users. Undefined for a folder without one: then its path is all that names it.
 * Does not run git.
 * @throws StorageError for a configuration that cannot be read
 */
export function projectName(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(join(folder, ".git"))
    if (gitDir !== undefined) return nameOfRemote(originIn(ifThere(join(gitDir, "config"), textIn)))
    if (folder === dirname(folder)) return undefined
  }
}

/** The folder of a `.git` that has the configuration: that of the repository, also for a worktree. */
function gitDirOf(path: string): string | undefined {
  const found = ifThere(path, statSync)
  if (found === undefined || found.isDirectory()) return found && path
  const [, named] = /^gitdir: (.+)$/m.exec(ifThere(path, textIn) ?? "") ?? []
  if (named === undefined) return undefined
  const gitDir = resolve(dirname(path), named.trim())
  const common = ifThere(join(gitDir, "commondir"), textIn)
  return common === undefined ? gitDir : resolve(gitDir, common.trim())
}

/** The URL of the remote `origin` in a configuration of git. */
function originIn(config = ""): string {
  const [, section = ""] = /^\s*\[remote "origin"\]\s*$([^[]*)/m.exec(config) ?? []
  return /^\s*url\s*=\s*(.*?)\s*$/m.exec(section)?.[1] ?? ""
}

/** `git@host:path`, as for ssh. */
const SCP = /^(?:[^/@:]+@)?([^/@:[\]]+):(?!\/\/)(.+)$/

/** Host and path. Undefined for a folder of this machine. */
export function nameOfRemote(remote: string): string | undefined {
  const [, scpHost, scpPath = ""] = SCP.exec(remote) ?? []
  const url = scpHost === undefined && URL.canParse(remote) ? new URL(remote) : undefined
  const host = scpHost ?? url?.hostname ?? ""
  const path = (scpHost === undefined ? (url?.pathname ?? "") : scpPath).replace(/^\/+|\/+$/g, "").replace(/\.git$/, "")
  return host === "" || path === "" ? undefined : `${host.toLowerCase()}/${path}`
}

/** Undefined if there is no such file. @throws StorageError */
function ifThere<Value>(path: string, attempt: (path: string) => Value): Value | undefined {
  try {
    return attempt(path)
  } catch (error) {
    const fault = readError(error, path)
    if (fault) throw fault
    return undefined
  }
}

function textIn(path: string): string {
  return readFileSync(path, "utf8")
}
