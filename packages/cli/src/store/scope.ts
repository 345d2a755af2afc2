import type { ProjectOf } from "@treelog/session-core/adapter"
import { nameOfRemote, type OpenStore, ProjectFolders, projectName } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import type { CommandContext } from "../io/command-context.js"

/** Where sessions are looked for. */
interface Scope {
  /** An absolute path; undefined means everywhere. */
  readonly cwd?: string | undefined
  /** Sessions of other folders with the same project are meant too. */
  readonly projectOf?: ProjectOf | undefined
}

type Asked = Pick<CommandContext, "io" | "options">

/** The folder whose sessions are meant. An absolute path, of any system. */
export function cwdIn({ io, options }: Asked): string {
  return absoluteFolder(io, options.cwd ?? "")
}

const known = new WeakMap<object, ProjectFolders>()

/** What a command knows of folders: each is looked for on the disk once. */
export function foldersOf({ io }: Pick<CommandContext, "io">): ProjectFolders {
  const folders = known.get(io) ?? new ProjectFolders()
  known.set(io, folders)
  return folders
}

/**
 * The projects of a store: on a server the name of the repository, since folders have other paths on other machines; of files, and where there is
 * no such name, its folder.
 * Remembers each folder.
 */
export function projectsOf(
  context: Pick<CommandContext, "io">,
  { files, agent }: Pick<OpenStore, "files" | "agent">,
): ProjectOf {
  const { nameOf } = foldersOf(context)
  if (files || agent) return nameOf
  const known = new Map<string, string | undefined>()
  const remoteIn = (folder: string): string | undefined => {
    if (!known.has(folder)) known.set(folder, projectName(folder))
    return known.get(folder)
  }
  return (cwd, repositoryOf) => {
    const remote = remoteIn(cwd) ?? nameOfRemote(repositoryOf?.() ?? "")
    const folder = remote ?? nameOf(cwd, repositoryOf)
    // A worktree that is gone has the remote of its repository.
    return remote ?? remoteIn(folder) ?? folder
  }
}

/** Names for people what folders are grouped by: their project, or the folder itself. */
export function projectGroups(context: Pick<CommandContext, "io">): ProjectFolders["titleOf"] {
  return foldersOf(context).titleOf
}

/** For sentences: ` of the project github.com/me/shop`, ` of /home/me/shop`; empty for everywhere. */
export function ofScope({ cwd, projectOf }: Scope): string {
  if (cwd === undefined) return ""
  const project = projectOf?.(cwd)
  return project === undefined || project === cwd ? ` of ${cwd}` : ` of the project ${project}`
}
