import { join } from "node:path"
import { gitRepositoryOf, placesOf, textIfThere } from "@treelog-internal/fs"

/**
 * The name of the project of a folder, the same on every machine: host and path of the `origin` of its git repository, such as
 * `github.com/me/shop`, without names and keys of users. Undefined for a folder without one: then its path is all that names it.
 * Does not run git.
 * @throws StorageError for a configuration that cannot be read
 */
export function projectName(cwd: string): string | undefined {
  for (const place of placesOf(cwd)) {
    const repository = gitRepositoryOf(place)
    if (repository) return nameOfRemote(remoteOf(repository.gitDir))
  }
  return undefined
}

/** The URL of the remote `origin`; empty if there is none. @throws StorageError for a configuration that cannot be read */
export function remoteOf(gitDir: string): string {
  return originIn(textIfThere(join(gitDir, "config")))
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
